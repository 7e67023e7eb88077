import { expect, test } from 'vitest';
import type { FoundPayment } from './match.ts';
import { narrowings, outcome, searchedBackTo } from './ScanStatus.tsx';
import type { Covered } from './scan.ts';
import { understand } from './understand.ts';

const NOW = Date.UTC(2026, 10, 22, 6) / 1000;
const ADDRESS = 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj';
const HASH = `0x${'d0'.repeat(32)}`;

const covered = (kind: Covered['kind'], rows: number, more: Partial<Covered> = {}): Covered => ({
  kind,
  rows,
  oldest: NOW,
  end: 'all',
  cursor: undefined,
  unsearchable: 0,
  carriesHashes: kind === 'withdrawal',
  carriesAddresses: kind === 'withdrawal',
  ...more,
});

const read = (text: string) => understand(text, { assets: ['ETH'], zone: 'utc', now: NOW });

interface EndOptions {
  error?: unknown;
  fits?: FoundPayment['fit'][];
  ours?: string[];
  /** The amount of each match. */
  amount?: string;
}

/** The text shown at the end of a search. */
function endText(
  text: string,
  lists: Covered[],
  { error = null, fits = [], ours = [], amount = '1' }: EndOptions = {},
): string | null {
  const wanted = read(text);
  const matches = fits.map((fit) => ({ kind: 'deposit', id: 'dep_1', amount, asset: 'ETH', fit }) as FoundPayment);
  const end = outcome({
    scan: { covered: lists, matches },
    running: false,
    error,
    wanted,
    searchIndex: { addresses: ours.map((address) => ({ chain: 'tron', address })) },
  });
  return end && `${end.heading} ${end.rest}`.trim();
}

test('a failed or stopped search is not announced as finished', () => {
  const lists = [covered('withdrawal', 3), covered('deposit', 200, { end: 'more' })];
  expect(endText('acme', lists, { error: new Error('500') })).toBe('203 payments were searched.');
  expect(endText('acme', lists)).toBe(
    'Stopped after 200 deposits and 3 withdrawals. Older payments were not searched.',
  );
});

test('rows that could not be compared are no proof that there is no such payment', () => {
  const lists = [covered('withdrawal', 3), covered('deposit', 200, { unsearchable: 2 })];
  expect(endText('0.5 ETH', lists)).toBe(
    'No match in all 200 deposits and 3 withdrawals (ETH). 2 of them couldn’t be compared: no readable ID, amount or time. The payment may be among them.',
  );
  expect(endText('0.5 ETH 21 Nov', lists, { fits: ['other'] })).toMatch(/^No match in all 200 .* 2 of them/);
  expect(endText('0.5 ETH', lists, { fits: ['exact'] })).toBeNull();
});

test('the result of a complete search says how well its matches fit', () => {
  const lists = [covered('withdrawal', 3), covered('deposit', 200)];
  expect(endText('0.5 ETH', lists)).toMatch(/^No match in all 200 deposits and 3 withdrawals \(ETH\)\. It may belong/);
  expect(endText('0.5 ETH', lists, { fits: ['near'] })).toMatch(/^No exact match in all 200 deposits/);
  expect(endText('0.5 ETH', lists, { fits: ['near', 'exact'] })).toBeNull();
  expect(endText(`0.5 ETH, hash ${HASH}`, lists, { fits: ['exact'] })).toBe(
    'Matched by amount. The hash itself can’t be searched: deposits here carry none.',
  );
  expect(endText(`0.5 ETH, payment dep_1`, lists, { fits: ['exact'] })).toBe(
    'Matched by amount. dep_1 was not found in 200 deposits and 3 withdrawals: this provider’s deposits carry no transaction hash or address.',
  );
  expect(endText(`0.5 ETH, hash ${HASH}`, lists, { fits: ['exact', 'named'] })).toBeNull();
});

test('our own address is not called another account’s when deposits carry no address', () => {
  const lists = [covered('withdrawal', 3), covered('deposit', 400)];
  const withHashes = [covered('deposit', 400, { carriesHashes: true })];
  const withAddresses = [covered('deposit', 400, { carriesHashes: true, carriesAddresses: true })];
  const hidden = 'The provider’s list of deposits doesn’t show addresses.';
  const ours = [ADDRESS];
  // The form below explains why.
  expect(endText(ADDRESS, lists, { ours })).toBe('No payment names this address.');
  expect(endText(ADDRESS, withHashes, { ours })).toBe(`No payment names this address. ${hidden}`);
  expect(endText(ADDRESS, withAddresses, { ours })).toBe(
    'No match in all 400 deposits. It may not have been detected yet.',
  );
  expect(endText(`${ADDRESS} ${HASH} 0.5 ETH`, lists, { ours })).toBe(
    `No match in all 400 deposits and 3 withdrawals. ${hidden}`,
  );
  expect(endText(ADDRESS, lists)).toMatch(/It may belong to another account/);
});

test('no match for a hash says nothing about deposits that carry none', () => {
  const lists = [covered('withdrawal', 3), covered('deposit', 400)];
  expect(endText(`${HASH} 25 ETH`, lists)).toMatch(/^No match in all .* carry no transaction hash or address\. It may/);
  expect(endText(`${HASH} 25 ETH`, [covered('deposit', 400, { carriesHashes: true })])).not.toContain('carry no');
});

test('an amount without an asset says that it is compared exactly', () => {
  const lists = [covered('deposit', 200)];
  const exactly = 'Add an asset to see close amounts too.';
  expect(endText('2.892,86', lists)).toBe(
    `No match in all 200 deposits. ${exactly} It may belong to another account, or not have been detected yet.`,
  );
  for (const text of ['2.892,86 ETH', 'acme', 'dep_1']) expect(endText(text, lists)).not.toContain('exact amount');
});

test.each([
  ['1250.50 eth', 'Only ETH was searched. All assets', '1250.50'],
  ['I paid 1250 ETH today', 'Only ETH was searched. All assets', 'I paid 1250.0 today'],
  ['eth acme', 'Only ETH was searched. All assets', 'acme'],
  ['failed withdrawals', 'Only failed withdrawals were searched. All deposits and withdrawals', ''],
  [`${HASH} 25 ETH`, 'By amount, only ETH was searched. All assets', `${HASH} 25.0`],
  ['acme failed', 'Only failed payments were searched. All deposits and withdrawals', 'acme'],
])('each limit of the search for “%s” can be removed', (text, limit, wider) => {
  const [narrowing] = narrowings(read(text));
  expect(`${narrowing?.limit} ${narrowing?.wider}`).toBe(limit);
  expect(narrowing?.from.reduce((rest, from) => rest.replace(from, narrowing.by ?? ''), text).trim()).toBe(wider);
  expect(narrowings(read(wider)).map((each) => each.wider)).not.toContain(narrowing?.wider);
});

test('widening to all assets keeps the amount and offers nothing else', () => {
  expect(read('I paid 1250.0 today').amount?.value).toEqual({ amount: '1250.0', asset: null });
  for (const text of ['1250.50', 'acme', 'dep_1', `${HASH} ETH today`]) expect(narrowings(read(text))).toEqual([]);
  expect(narrowings(read('0.5 ETH failed today')).map(({ wider }) => wider)).toEqual([
    'All assets',
    'All days',
    'All deposits and withdrawals',
  ]);
});

test('the date searched back to is one that every list has reached', () => {
  const more = { end: 'more' as const };
  const withdrawals = covered('withdrawal', 3, { oldest: 100 });
  expect(searchedBackTo([withdrawals, covered('deposit', 200, { ...more, oldest: 500 })])).toBe(500);
  expect(searchedBackTo([{ ...withdrawals, ...more }, covered('deposit', 200, { ...more, oldest: 500 })])).toBe(500);
  expect(searchedBackTo([withdrawals, covered('deposit', 0, { ...more, oldest: null })])).toBeNull();
});

test.each([
  [[covered('withdrawal', 1)], 'No match in 1 withdrawal.'],
  [[covered('withdrawal', 1), covered('deposit', 1)], 'No match in 1 deposit and 1 withdrawal.'],
  [[covered('withdrawal', 0), covered('deposit', 2)], 'No match in all 2 deposits and 0 withdrawals.'],
  [[covered('withdrawal', 0)], 'Nothing to search: 0 withdrawals.'],
])('the heading has the number of payments searched, also for one and none', (lists, heading) => {
  expect(endText('acme', lists)?.startsWith(`${heading} `)).toBe(true);
});

test('other amounts of the searched days are named', () => {
  const lists = [covered('withdrawal', 0), covered('deposit', 1)];
  expect(endText('0.6 ETH on 21 Nov', lists, { fits: ['other'], amount: '0.5' })).toBe(
    'No 0.6 ETH on 21 Nov. The only ETH deposit that day: 0.5 ETH.',
  );
  expect(endText('0.6 ETH on 21 Nov', lists, { fits: ['other', 'other'] })).toBe(
    'No 0.6 ETH on 21 Nov. The 2 ETH payments that day are above.',
  );
  expect(endText('0.6 on 21 Nov', lists, { fits: ['other'], amount: '0.5' })).toBe(
    'No 0.6 on 21 Nov. The only deposit that day: 0.5 ETH.',
  );
  expect(endText('0.6 on 21 Nov', lists, { fits: ['other', 'other'] })).toBe(
    'No 0.6 on 21 Nov. The 2 payments that day are above.',
  );
  expect(endText('0.6 ETH yesterday', lists, { fits: Array.from({ length: 6 }, () => 'other' as const) })).toMatch(
    /There are more than 5 ETH payments that day\.$/,
  );
});

test('a payment on another chain is not a match, and the result says so', () => {
  const lists = [covered('withdrawal', 0), covered('deposit', 1)];
  expect(endText('0.6 ETH on Polygon', lists, { fits: ['elsewhere'] })).toBe(
    'Not on Polygon. It was found on another chain in 1 deposit and 0 withdrawals (ETH).',
  );
});
