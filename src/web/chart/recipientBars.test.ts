import { expect, test } from 'vitest';
import type { KnownRecipient } from '#src/web/api/recipients.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import { type CountableRow, type Counted, countOn, newCount } from './counted.ts';
import { recipientBars } from './recipientBars.ts';

const NOW = Date.UTC(2026, 10, 21, 14) / 1000;
const TRON = { chain: 'tron', address: 'TWiummto6eeTBsUoD6N2rgqYNTGvwTft86' };
const ETHEREUM = { chain: 'ethereum', address: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB' };
const STRANGER = { chain: 'bitcoin', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };

const saved = (name: string, place: typeof TRON): KnownRecipient => ({
  ...place,
  id: name + place.chain,
  name,
  asset: '',
  reference: '',
  note: '',
  revision: 1,
  who: null,
  person: null,
  created: NOW,
  changed: NOW,
});

type Sent = CountableRow & typeof TRON & { amount: string };
let sent = 0;
const row = (amount: string, place: typeof TRON, of: Partial<Sent> = {}): Sent => {
  sent += 1;
  return { id: `wd_${sent}`, asset: 'USDT', status: 'completed', created_at: NOW - sent, amount, ...place, ...of };
};

async function countOf(rows: readonly Sent[]): Promise<Counted> {
  let last = newCount({}, 'utc');
  const page: Page<Sent> = {
    data: [...rows],
    malformed: [],
    has_more: false,
    next_cursor: null,
    mark: 'one page',
    requestId: null,
    date: NOW,
    readAt: NOW,
  };
  const source = {
    readPage: async () => page,
    keeps: () => true,
    amountOf: (of: CountableRow) => (of as Sent).amount,
    recipientOf: (of: CountableRow) => of as Sent,
  };
  await countOn(last, 1, source, new AbortController().signal, (next) => (last = next));
  return last;
}

test('all addresses of one name are one bar, and the largest bar is first', async () => {
  const counted = await countOf([
    row('0.000000000000000001', TRON),
    row('10', ETHEREUM),
    row('5', { ...ETHEREUM, address: ETHEREUM.address.toLowerCase() }),
    row('11', STRANGER),
    row('99', TRON, { status: 'failed' }),
    row('3', TRON, { asset: 'ETH' }),
  ]);
  const recipients = [saved('Acme', TRON), saved('ACME', ETHEREUM)];
  const bars = recipientBars(counted, recipients, { kind: 'amount', asset: 'USDT' });
  expect(bars.map(({ name, sum, rows }) => [name, sum, rows])).toEqual([
    ['Acme', '15.000000000000000001', 3],
    ['bc1qw50…f3t4', '11', 1],
  ]);
  expect(bars.map(({ to }) => to)).toEqual(['/recipients/Acmetron', `/withdrawals?to=${STRANGER.address}`]);
  expect(recipientBars(counted, recipients, { kind: 'count' }).map(({ rows }) => rows)).toEqual([4, 1]);
});
