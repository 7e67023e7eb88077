import { expect, test } from 'vitest';
import { ListBroken } from '#src/shared/statement/monthReads.ts';
import { createMonthReads } from './monthReads.ts';
import { answerOf, quickClock } from './testProvider.ts';

function balancesOf(page: (cursor: string | null) => { has_more: boolean; next_cursor: string | null }) {
  const reads = createMonthReads({
    service: {
      read: async (_, target) => {
        const cursor = new URLSearchParams(target.slice(target.indexOf('?'))).get('starting_after');
        return answerOf(200, { object: 'list', data: [{ asset: `A${cursor ?? ''}`, total: '1' }], ...page(cursor) });
      },
    },
    apiKey: 'sk_test',
    clock: quickClock(),
    signal: new AbortController().signal,
    onWait: async () => undefined,
    lateEntriesIn: async () => [],
    closingVerdicts: async () => new Map(),
  });
  return reads.balances();
}

test('a month close stops if the balances can’t be read to their end', async () => {
  const whole = await balancesOf((cursor) => ({
    has_more: cursor === null,
    next_cursor: cursor === null ? 'B' : null,
  }));
  expect(whole.balances.map(({ asset }) => asset)).toEqual(['A', 'AB']);
  await expect(balancesOf(() => ({ has_more: true, next_cursor: null }))).rejects.toThrow(ListBroken);
  const next = (cursor: string | null) => String(Number(cursor ?? 0) + 1);
  await expect(balancesOf((cursor) => ({ has_more: true, next_cursor: next(cursor) }))).rejects.toThrow('does not end');
});
