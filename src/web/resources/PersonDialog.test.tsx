import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { JoinedBeside } from './PersonDialog.tsx';

const textOf = (beside: string | null): string =>
  renderToStaticMarkup(<JoinedBeside person={{ name: 'Cy', joined_beside: beside }} />).replaceAll(/<[^>]*>/g, ' ');

test('whoever is asked for a code sees who else was signed in in the browser that used the invite', () => {
  expect(textOf('Bo')).toContain('Bo was signed in in the browser that used it.');
  expect(textOf('Bo')).toContain('ask Cy whose device that was');
  expect(textOf(null)).toBe('');
});
