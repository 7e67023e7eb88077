import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { Findings } from './Findings.tsx';

test('“nothing is missing” is limited to items with a readable ID if some have none', () => {
  const textOf = (malformed: number): string => {
    const lateRows = { adjustments: 0, rows: { deposits: 4 } };
    const close = { month: { sums: null, malformed }, lateRows, running: false, closedPeriod: null };
    return renderToStaticMarkup(
      <MemoryRouter>
        <Findings close={close as never} isFirst />
      </MemoryRouter>,
    );
  };
  expect(textOf(0)).toContain('Nothing is missing.');
  expect(textOf(2)).toContain('Nothing is missing among items with a readable ID.');
});
