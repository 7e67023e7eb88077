import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMIT_MAX, type ListFilters } from '#src/shared/contract/contract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { decodeText } from '#src/shared/files/decodeText.ts';
import { withParams } from '#src/shared/searchParams.ts';
import { readRates } from './rates.ts';
import {
  createMonthsProvider,
  fillFirstMonth,
  fillSecondMonth,
  fillThirdMonth,
  MONTH_STARTS,
  type MonthsProvider,
  TEST_RATES,
  testTeamRecords,
} from './testMonths.ts';
import { balanceSchema, depositSchema, ledgerEntrySchema, withdrawalSchema } from '#src/shared/contract/rows.ts';
import { listOf, parseWith } from '#src/shared/contract/rows.ts';
import { periodName } from './period.ts';
import { fileBytes } from './lines.ts';
import { ListRefused, type MonthPage, type MonthReads } from './monthReads.ts';
import { createBooks } from './testService.ts';

function readsFrom(provider: MonthsProvider): MonthReads {
  const ask = (path: string, query = new URLSearchParams()): unknown => {
    const { status, body } = provider.answer(path, query);
    if (status === 200) return body;
    throw new ListRefused({ status, isNotFound: true }, null);
  };
  const list =
    (name: string, parse: (json: unknown) => MonthPage) =>
    async (filters: ListFilters, cursor: string | null): Promise<MonthPage> => {
      const query = { limit: LIMIT_MAX, ...filters, starting_after: cursor ?? undefined };
      return parse(ask(`/v1/${name}`, withParams(new URLSearchParams(), query)));
    };
  return {
    deposits: list('deposits', listOf(depositSchema)),
    withdrawals: list('withdrawals', listOf(withdrawalSchema)),
    ledger: list('ledger-entries', listOf(ledgerEntrySchema)),
    balances: async () => ({
      balances: listOf(balanceSchema)(ask('/v1/balances')).data,
      malformed: 0,
      asOf: provider.now,
    }),
    withdrawal: async (id) => parseWith(withdrawalSchema)(ask(`/v1/withdrawals/${encodeURIComponent(id)}`)),
    lateEntriesIn: () => Promise.reject(new Error('Nothing is closed.')),
    closingVerdicts: () => Promise.reject(new Error('Nothing is closed.')),
  };
}

const session = { service: 'https://pay.example', account: 'a1b2c3d4e5f6', name: 'Ana (not verified)' };
const month = (from: number, to: number) => ({ session, name: periodName({ from, to }, 'utc'), closing: 'closing_1' });

test('closing three months gives exactly the periods and hashes in testMonths.json', async () => {
  const [first, second, third, end] = MONTH_STARTS;
  const provider = createMonthsProvider();
  const books = createBooks(readsFrom(provider), first);
  fillFirstMonth(provider);
  await books.close(second, month(first, second));
  fillSecondMonth(provider);
  const bytes = new TextEncoder().encode(TEST_RATES);
  const read = readRates(decodeText(bytes).text);
  if ('faults' in read) throw new Error('The rates are faulty.');
  const rates = { rates: read.rates, bytes: fileBytes(bytes) };
  await books.close(third, { ...month(second, third), records: testTeamRecords(), rates });
  fillThirdMonth(provider);
  await books.close(end, month(third, end));

  const bare = createMonthsProvider({ hasLedger: false });
  fillFirstMonth(bare);
  const withoutLedger = createBooks(readsFrom(bare), first);
  await withoutLedger.close(second, month(first, second));

  const before: ClosedPeriod[] = JSON.parse(readFileSync(new URL('./testMonths.json', import.meta.url), 'utf8'));
  const closed = [...books.closed, ...withoutLedger.closed];
  expect(closed.map(({ period }) => ({ ...period, closing: 'closing_1', parts: 1 }))).toEqual(before);
});
