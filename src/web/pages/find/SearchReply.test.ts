import { expect, test } from 'vitest';
import type { FoundPayment } from './match.ts';
import type { Scan } from './scan.ts';
import { type AddressAnswer, searchEnd } from './SearchReply.tsx';
import { understand } from './understand.ts';

const HASH = `0x${'9b1c'.repeat(16)}`;
const NOW = 1_795_700_000;
const found = (
  id: string,
  fit: FoundPayment['fit'] = 'exact',
  kind: FoundPayment['kind'] = 'deposit',
): FoundPayment => ({
  kind,
  id,
  fit,
  status: 'completed',
  asset: 'ETH',
  chain: 'ethereum',
  address: null,
  amount: '0.6',
  fee: null,
  created_at: NOW,
  name: null,
});

function endOf(
  text: string,
  matches: FoundPayment[],
  of: { addressAnswer?: AddressAnswer | null; end?: 'all' | 'more'; running?: boolean; unsearchable?: number } = {},
) {
  const { addressAnswer = null, end = 'all', running = false, unsearchable = 0 } = of;
  const covered = {
    kind: 'deposit',
    rows: 9,
    end,
    unsearchable,
    oldest: null,
    carriesHashes: false,
    carriesAddresses: false,
  };
  const scan = { matches, covered: [covered] } as unknown as Scan;
  const wanted = understand(text, { assets: ['ETH', 'USDT'], zone: 'utc', now: NOW });
  return searchEnd({ wanted, scan, running, error: null }, addressAnswer, text);
}

test('a finished search without a match asks for the missing facts', () => {
  expect(endOf('I paid 0.6 ETH on 24 Nov 2026', [])).toEqual({
    kind: 'not-found',
    amount: '0.6',
    asset: 'ETH',
    day: '2026-11-24',
    hash: undefined,
    hasAddress: false,
  });
  expect(endOf(`hash ${HASH}`, [])).toMatchObject({ kind: 'not-found', hash: HASH });
  expect(endOf('0.6 ETH', [found('dep_1', 'near')])).toMatchObject({ kind: 'not-found' });
});

test('no “not found” reply is offered while some rows could not be compared', () => {
  expect(endOf('0.6 ETH', [], { unsearchable: 1 })).toBeNull();
});

test('an address that isn’t ours gets another reply than a missing payment', () => {
  const address = `0x${'5a'.repeat(20)}`;
  expect(endOf(address, [], { addressAnswer: { kind: 'not-ours' } })).toEqual({ kind: 'not-ours' });
  expect(endOf(address, [], { addressAnswer: { kind: 'fault', words: 'It has a typo.' } })).toEqual({
    kind: 'not-ours',
  });
  expect(endOf(address, [], { addressAnswer: { kind: 'unknown' } })).toMatchObject({
    kind: 'not-found',
    hasAddress: true,
  });
});

test('several deposits of the amount are candidates; one, or a named one, is answered on its own page', () => {
  expect(endOf('0.6 ETH', [found('dep_1'), found('dep_2')])).toMatchObject({ kind: 'several' });
  expect(endOf('0.6 ETH', [found('dep_1')])).toBeNull();
  expect(endOf('0.6 ETH', [found('dep_1', 'named'), found('dep_2')])).toBeNull();
  expect(endOf('0.6 ETH', [found('wd_1', 'exact', 'withdrawal'), found('dep_2')])).toBeNull();
});

test('nothing is answered before the search has ended', () => {
  expect(endOf('0.6 ETH', [], { running: true })).toBeNull();
  expect(endOf('0.6 ETH', [], { end: 'more' })).toBeNull();
});
