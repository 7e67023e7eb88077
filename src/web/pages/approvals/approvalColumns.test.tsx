import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Operation } from '#src/shared/operations/record.ts';
import { testView } from '#src/web/api/operations/testViews.ts';
import { DECIDED_COLUMNS } from './approvalColumns.tsx';

const bo = { person: 'bo', name: 'Bo', at: 1 };

function decision(change: Partial<Operation>, approved: (typeof bo)[]): string {
  const view = testView({ approval: { needs: 2, policy: 1, hours: 72 }, ...change }, { approved });
  const cell = DECIDED_COLUMNS.find(({ name }) => name === 'Decision')?.cell(view);
  return renderToStaticMarkup(<>{cell}</>).replaceAll(/<[^>]*>/g, '');
}

test('the decision about a payment never names approvers where there were none or too few', () => {
  expect(decision({}, [bo])).toBe('Approved by Bo');
  expect(decision({}, [])).toBe('Not approved');
  expect(decision({ attempts: [] }, [bo])).toBe('Not approved');
});
