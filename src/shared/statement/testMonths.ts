// Test support: three months of an account as its provider lists them, with late rows and all that a statement names. The
// hashes of their ZIPs are in testMonths.json.
import { add, subtract } from '#src/shared/money.ts';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';

export type TestListRow = { id: string; created_at: unknown; [field: string]: unknown };
type ListOfTest = 'deposits' | 'withdrawals' | 'ledger-entries';

const DAY = 86_400;
const monthStart = (month: number): number => Date.UTC(2026, month, 1) / 1000;
/** Three months in UTC: their starts, and the end of the last. */
export const MONTH_STARTS = [monthStart(7), monthStart(8), monthStart(9), monthStart(10)] as const;
export const ACME = { chain: 'tron', address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' };
const notFound = { error: { type: 't', code: 'not_found', message: 'None.', request_id: 'req_404' } };

/** A provider whose clock a test sets. `hasLedger`: false for one that lists no ledger entries. */
export function createMonthsProvider({ hasLedger = true, pageSize = 100 } = {}) {
  const rows: Record<ListOfTest, TestListRow[]> = { deposits: [], withdrawals: [], 'ledger-entries': [] };
  const provider = {
    now: MONTH_STARTS[1] + DAY,
    rows,
    /** Lets a test change the balances that the provider states. */
    balances: (rows: readonly object[]): readonly object[] => rows,
    put(list: ListOfTest, row: TestListRow): void {
      rows[list].push(row);
      // A stable sort keeps the order of arrival within a second.
      rows[list].sort((a, b) => Number(a.created_at) - Number(b.created_at));
    },
    entry(id: string, at: number, fields: object): void {
      provider.put('ledger-entries', { id, book: 'available', ...fields, created_at: at });
    },
    deposit(id: string, at: number, [asset, amount]: readonly [string, string], status = 'completed'): void {
      provider.put('deposits', { id, status, asset, chain: 'tron', received_amount: amount, created_at: at });
      if (status === 'completed') provider.entry(`le_${id}`, at, { type: 'deposit', asset, amount, source: id });
    },
    withdrawal(id: string, at: number, amount: string, { fee = '0.5', movedAt = at, ...more } = {}): void {
      const row = { id, status: 'completed', asset: 'USDT', ...ACME, amount, fee, tx_hash: `0x${id}`, ...more };
      provider.put('withdrawals', { ...row, created_at: at });
      const moved = { type: 'withdrawal', asset: 'USDT', amount: subtract('0', amount), source: id };
      provider.entry(`le_${id}`, movedAt, moved);
    },
    /** The response to a read of the service. */
    answer(path: string, query: URLSearchParams): { status: number; body: object } {
      const page = (data: readonly unknown[], more: boolean, cursor: string | null) => ({
        status: 200,
        body: { object: 'list', data, has_more: more, next_cursor: more ? cursor : null },
      });
      if (path === '/v1/balances') return page(provider.balances(ledgerBalances()), false, null);
      const [, , list = '', id] = path.split('/');
      if (!isList(list) || (list === 'ledger-entries' && !hasLedger)) return { status: 404, body: notFound };
      if (id !== undefined) {
        const row = rows[list].find((each) => each.id === decodeURIComponent(id));
        return row ? { status: 200, body: row } : { status: 404, body: notFound };
      }
      const [after, before] = ['created_after', 'created_before'].map((name) => query.get(name));
      const inRange = rows[list].filter(
        // Includes rows without a valid time.
        ({ created_at: at }) =>
          !(Number(at) < Number(after ?? 0)) && !(Number(at) > (before ? Number(before) : Infinity)),
      );
      const ordered = query.get('order') === 'asc' ? inRange : inRange.toReversed();
      const cursor = query.get('starting_after');
      // The checkpoint is before the range.
      const behind = cursor === null ? ordered : rows[list].slice(rows[list].findIndex((row) => row.id === cursor) + 1);
      const data = behind
        .filter((row) => cursor === null || inRange.includes(row))
        .slice(0, Math.min(pageSize, Number(query.get('limit') ?? pageSize)));
      const last = data.at(-1);
      const isMore = last !== undefined && last !== inRange.at(-1);
      return page(data, isMore, last?.id ?? null);
    },
  };
  function ledgerBalances() {
    const totals = new Map<string, string>();
    for (const { asset, amount } of rows['ledger-entries'])
      if (typeof asset === 'string' && typeof amount === 'string')
        totals.set(asset, add(totals.get(asset) ?? '0', amount));
    return [...totals].map(([asset, total]) => ({
      asset,
      available: total,
      pending: '0',
      locked: '0',
      total,
      updated_at: provider.now,
    }));
  }
  return provider;
}

export type MonthsProvider = ReturnType<typeof createMonthsProvider>;

function isList(name: string): name is ListOfTest {
  return name === 'deposits' || name === 'withdrawals' || name === 'ledger-entries';
}

const AMOUNTS = [
  ['BTC', '0.00000001'],
  ['ETH', '1.123456789012345678'],
  ['USDT', '1500'],
] as const;

/** The first month, and what was there before it. */
export function fillFirstMonth(provider: MonthsProvider): void {
  const [from] = MONTH_STARTS;
  provider.deposit('dep_old', from - 40 * DAY, ['USDT', '90000']);
  // Larger than one piece of a file, with several rows in one second.
  for (let n = 0; n < 700; n += 1) {
    const status = n % 97 === 5 ? 'under-review' : n % 101 === 7 ? 'failed' : 'completed';
    provider.deposit(`dep_a${n}`, from + Math.floor(n / 3) * 9_000, AMOUNTS[n % 3] ?? AMOUNTS[0], status);
  }
  provider.deposit('=1+1 "x",\r\n', from + DAY, ['USDT', '3'], '+1');
  provider.put('deposits', { id: 'dep_x', asset: 'BTC', status: 'completed', created_at: 'today' });
  for (let n = 0; n < 20; n += 1) provider.withdrawal(`wd_a${n}`, from + n * DAY + 5, `${n + 1}.25`);
  // Created before the month and moved in it; its fee has an entry of its own; and one without a stated fee.
  provider.withdrawal('wd_early', from - DAY, '7', { movedAt: from + 60 });
  provider.withdrawal('wd_fee', from + 2 * DAY, '8', { fee: '1' });
  provider.entry('le_fee', from + 2 * DAY, { type: 'network_fee', asset: 'USDT', amount: '-1', source: 'wd_fee' });
  provider.withdrawal('wd_unstated', from + 3 * DAY, '9', { fee: '' });
  provider.entry('le_swap_out', from + 4 * DAY, { type: 'swap', asset: 'USDT', amount: '-500', source: 'swp_1' });
  provider.entry('le_swap_in', from + 4 * DAY, { type: 'swap', asset: 'BTC', amount: '0.5', source: 'swp_1' });
  provider.entry('le_odd', from + 5 * DAY, { type: 'correction', asset: 'ETH', amount: '-0.1', source: 'x_1' });
  provider.entry('le_none', from + 6 * DAY, { type: 'correction', asset: null, amount: '1', source: 'x_2' });
}

/** Late rows of the first month, and the second. */
export function fillSecondMonth(provider: MonthsProvider): void {
  const [first, from] = MONTH_STARTS;
  provider.now = MONTH_STARTS[2] + DAY;
  provider.deposit('dep_late', first + 9 * DAY, ['ETH', '777.000000000000000001']);
  const waiting = provider.rows.deposits.find(({ id }) => id === 'dep_a5');
  if (waiting) {
    waiting['status'] = 'completed';
    provider.entry('le_dep_a5', from + 9, { type: 'deposit', asset: 'USDT', amount: '1500', source: 'dep_a5' });
  }
  for (let n = 0; n < 200; n += 1) provider.deposit(`dep_b${n}`, from + n * 9_001, AMOUNTS[n % 3] ?? AMOUNTS[0]);
  for (let n = 0; n < 5; n += 1) provider.withdrawal(`wd_b${n}`, from + n * DAY, `${n + 1}.75`);
}

/** The third month, which isn't over when the second is closed. */
export function fillThirdMonth(provider: MonthsProvider): void {
  const [, , from] = MONTH_STARTS;
  provider.now = MONTH_STARTS[3] + 2 * DAY;
  for (let n = 0; n < 90; n += 1) provider.deposit(`dep_c${n}`, from + n * 9_002, AMOUNTS[n % 3] ?? AMOUNTS[0]);
  // A movement after the month's end, which the balance already includes.
  provider.entry('le_after', MONTH_STARTS[3] + 60, { type: 'deposit', asset: 'BTC', amount: '2', source: 'dep_after' });
}

/** What the team recorded before the second month was closed. */
export function testTeamRecords() {
  const [, from] = MONTH_STARTS;
  const at = from + DAY;
  const sent = { asset: 'USDT', ...ACME, amount: '2.75' };
  const record = {
    ...testOperation,
    ...withdrawalRequest(sent),
    who: 'Mira',
    person: 'person-m',
    attempts: [attemptNote],
  };
  const firstSent = { service: at, server: at * 1000, database: at * 1000 };
  const result = { id: 'wd_b1', text: '{"id":"wd_b1"}', requestId: 'req_1', by: 'answer' as const, confirmed: [] };
  const view = (more: object) => ({ operation: { ...record, firstSent, ...more }, checks: [], approved: [] });
  return {
    recipients: [{ name: '=Acme "Hosting"', ...ACME, asset: '', reference: '', note: '' }],
    notes: [
      { kind: 'withdrawal' as const, id: 'wd_b1', reference: 'INV-7', note: 'two\nlines' },
      { kind: 'operation' as const, id: 'key-2', reference: 'not listed', note: '' },
      { kind: 'deposit' as const, id: 'dep_b3', reference: 'paid ahead', note: '' },
    ],
    operations: [view({ key: 'key-2', state: 'unconfirmed' }), view({ key: 'key-1', result })],
  };
}

export const TEST_RATES = [
  'day,asset,currency,rate,source',
  ...Array.from({ length: 30 }, (_, n) => `2026-09-${String(n + 1).padStart(2, '0')},USDT,EUR,0.9${n},ECB`),
  '2026-09-03,BTC,EUR,90000.5,"Desk, 12:00"',
  '',
].join('\n');
