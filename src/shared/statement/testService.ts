// A service in memory whose rows come late, share seconds, change and vanish: for the tests of this folder.
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { add } from '#src/shared/money.ts';
import { closingVerdictsIn, addReportedRowsOfZip, readLateEntries } from './archive.ts';
import { checkMonth, noReportedRows, withAdjustments } from './reportedRows.ts';
import { type FileBytes, NO_BYTES, wholeBytes } from './lines.ts';
import { ListRefused, type MonthReads } from './monthReads.ts';
import { readMonth } from './readMonth.ts';
import type { AnyRow, PeriodList } from './periodRows.ts';
import { type Closing, freezePeriod } from './freezePeriod.ts';

export const MONTH_TIME = 1_790_000_000;
const PAGE = 3;
const NO_RECORDS: Closing['records'] = { recipients: [], notes: [], operations: [] };

export function createService() {
  const rows: Record<PeriodList, AnyRow[]> = { deposits: [], withdrawals: [], ledger: [] };
  const service = {
    now: MONTH_TIME,
    rows,
    /** The number of the request at which the cursor's row disappears; null if it never does. */
    vanishAt: null as number | null,
    requests: 0,
    put: (list: PeriodList, row: AnyRow): void => {
      rows[list].push(row);
      // A stable sort keeps the order of arrival within a second.
      rows[list].sort((a, b) => Number(a.created_at) - Number(b.created_at));
    },
    /** A deposit with its ledger entry, both dated `at`. */
    deposit: (id: string, at: number, amount = '0.1', status = 'completed'): void => {
      service.put('deposits', { id, status, asset: 'BTC', chain: 'bitcoin', received_amount: amount, created_at: at });
      service.put('ledger', { id: `le_${id}`, type: 'deposit', asset: 'BTC', amount, source: id, created_at: at });
    },
    vanish: (id: string): void => {
      rows.deposits = rows.deposits.filter((row) => row.id !== id);
    },
    total: (): string => rows.ledger.reduce((sum, row) => add(sum, String(row['amount'])), '0'),
  };

  const read =
    (list: PeriodList): MonthReads[PeriodList] =>
    async ({ created_after: after, created_before: before }, cursor) => {
      service.requests += 1;
      if (cursor !== null && list === 'deposits' && service.requests === service.vanishAt) service.vanish(cursor);
      const at = cursor === null ? undefined : rows[list].find(({ id }) => id === cursor);
      if (cursor !== null && !at) throw new ListRefused({ status: 400, isNotFound: false }, null);
      const behind = at ? rows[list].slice(rows[list].indexOf(at) + 1) : rows[list];
      // Bounds are inclusive, which the contract allows.
      const inRange = behind.filter(
        // Includes rows without a valid time.
        ({ created_at: at }) => !(Number(at) < (after ?? 0)) && !(Number(at) > (before ?? Infinity)),
      );
      const data = inRange.slice(0, PAGE);
      const more = inRange.length > PAGE;
      return { data, malformed: [], has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
    };
  const reads: MonthReads = {
    deposits: read('deposits'),
    withdrawals: read('withdrawals'),
    ledger: read('ledger'),
    balances: async () => {
      const part = { available: '0', pending: '0', locked: '0' };
      const balance = { asset: 'BTC', total: service.total(), updated_at: service.now, ...part };
      return { balances: [balance], malformed: 0, asOf: service.now };
    },
    withdrawal: () => Promise.reject(new ListRefused({ status: 404, isNotFound: false }, null)),
    lateEntriesIn: () => Promise.reject(new Error('Nothing is closed.')),
    closingVerdicts: () => Promise.reject(new Error('Nothing is closed.')),
  };
  return { service, reads };
}

/** Closes periods as the server does, each from the end of the one before. */
export function createBooks(service: MonthReads, start: number) {
  const closed: { period: ClosedPeriod; bytes: Uint8Array; zip: FileBytes }[] = [];
  const reads: MonthReads = {
    ...service,
    lateEntriesIn: async ({ number }) => readLateEntries(closed[number - 1]?.zip ?? NO_BYTES),
    closingVerdicts: async ({ number }) => closingVerdictsIn(closed[number - 1]?.zip ?? NO_BYTES),
  };
  const options = { signal: new AbortController().signal, onProgress: (): void => undefined };
  return {
    closed,
    read: async (to: number, from = closed.at(-1)?.period.to ?? start) =>
      readMonth(reads, { bounds: { from, to }, closed: closed.map(({ period }) => period), ...options }),
    async close(to: number, more: Partial<Closing> = {}) {
      const month = await this.read(to);
      const reportedRows = noReportedRows();
      for (const { zip } of closed) await addReportedRowsOfZip(zip, reportedRows);
      const isFirst = closed.length === 0;
      const range = { from: null, to: month.bounds.from };
      const checked = await checkMonth(reads, month, { reportedRows, range, isFirst, ...options });
      const whole = withAdjustments(month, checked.adjustments);
      const session = { service: 'sandbox', account: 'a1b2c3d4e5f6', name: 'Ana' };
      const named = { name: 'A month', number: closed.length + 1, zone: 'utc' as const, session, closing: 'closing_1' };
      const of: Closing = { ...named, month: whole, checked, records: NO_RECORDS, rates: null, ...more };
      const { period, zip } = await freezePeriod(of);
      closed.push({ period: { ...period, parts: 1 }, zip, bytes: await wholeBytes(zip) });
      return { month: whole, checked, again: () => freezePeriod(of) };
    },
  };
}
