import { describe, expect, test } from 'vitest';
import { knownAddresses, listedUses, recordedUses, ownDeposits } from './knownAddresses.ts';
import { COMPARED } from './kind.ts';
import type { Operation } from './record.ts';

const ACME = { chain: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
const FALSE_ACME = { chain: 'ethereum', address: `0x5aae${'0'.repeat(32)}eaed` };

function recordOf(change: Partial<Operation>): Operation {
  const record = {
    kind: 'withdrawal',
    state: 'succeeded',
    firstSent: { service: 1_000, server: 1_000_000, database: 1_000_000 },
    body: bodyOf(ACME),
    attempts: [],
    ...change,
  };
  // Only these fields are read.
  return record as Operation;
}

function bodyOf({ chain, address }: { chain: string; address: string }): string {
  return JSON.stringify({ asset: 'ETH', chain, amount: '1', address });
}

describe('the history of an address', () => {
  test('has its name and the latest withdrawal from any source', () => {
    const recorded = recordedUses([recordOf({})]);
    const rows = [{ id: 'wd_1', ...ACME, address: ACME.address.toLowerCase(), status: 'completed', created_at: 1e9 }];
    const known = knownAddresses([{ ...ACME, name: 'Acme' }], [...recorded, ...listedUses(rows)]);
    expect(known.find({ ...ACME, chain: 'eth' })).toMatchObject({
      name: 'Acme',
      last: { source: 'service', at: 1e9, status: 'completed' },
    });
    expect(known.find(FALSE_ACME)).toBeNull();
  });

  test('has the payment’s status for the latest withdrawal, never that a request succeeded', () => {
    const statusOf = (result: { text: string } | undefined, status: string | null) => {
      const made = recordOf(
        result ? { result: { ...result, id: 'wd_1', confirmed: [...COMPARED] } as Operation['result'] } : {},
      );
      const row = { id: 'wd_1', ...ACME, status, created_at: 1_000 };
      return knownAddresses([], [...recordedUses([made]), ...listedUses([row])]).find(ACME)?.last;
    };
    const pending = { text: '{"status":"pending"}' };
    expect(statusOf(pending, 'failed')).toMatchObject({ source: 'journal', status: 'failed' });
    expect(statusOf(pending, null)).toMatchObject({ status: 'pending' });
    expect(statusOf({ text: '{}' }, null)).toMatchObject({ status: 'accepted' });
    expect(statusOf(undefined, null)).toMatchObject({ status: 'accepted' });
  });

  test('does not include a withdrawal that was refused, not sent or only recorded', () => {
    const states = ['refused', 'not-sent', 'ready'] as const;
    expect(recordedUses(states.map((state) => recordOf({ state })))).toEqual([]);
    expect(recordedUses([recordOf({ kind: 'deposit-address' })])).toEqual([]);
  });

  test('ignores rows that are not withdrawals or have no address', () => {
    expect(
      listedUses([
        { id: 'dep_1', ...ACME, received_amount: '1' },
        { id: 'wd_1', chain: 'ethereum', address: null },
        { id: 7, ...ACME },
      ]),
    ).toEqual([]);
  });

  test('has the look-alikes of an address, without itself, on any chain with the same address format', () => {
    const known = knownAddresses([{ ...ACME, name: 'Acme' }], []);
    expect(known.lookAlikes({ ...FALSE_ACME, chain: 'polygon' }).map(({ name }) => name)).toEqual(['Acme']);
    expect(known.lookAlikes({ ...ACME, chain: 'polygon' })).toEqual([]);
    expect(known.lookAlikes(ACME)).toEqual([]);
    expect(known.elsewhere({ ...ACME, chain: 'polygon' }).map(({ name }) => name)).toEqual(['Acme']);
    expect(known.elsewhere(ACME)).toEqual([]);
  });
});

describe('own deposit addresses', () => {
  const made = recordOf({
    kind: 'deposit-address',
    body: '{"asset":"ETH","chain":"ethereum"}',
    result: { id: null, text: '', requestId: null, by: 'answer', confirmed: [] },
  });
  const withAnswer = (answer: unknown) => ({ ...made, result: { ...made.result, text: JSON.stringify(answer) } });

  test.each([
    ['with its chain', { address: ACME.address, chain: 'ETH' }],
    ['without a chain', { address: ACME.address }],
    ['under the other name', { deposit_address: ACME.address.toLowerCase() }],
  ])('an address created here is found, %s', (_what, answer) => {
    const isOwn = ownDeposits([withAnswer(answer) as Operation], []);
    expect(isOwn({ ...ACME, chain: 'polygon' })).toMatchObject({ at: 1_000 });
    expect(isOwn(FALSE_ACME)).toBeNull();
  });

  test.each([[null], ['text'], [[]], [{ address: 7 }], [{ address: '' }]])('no address in %j', (answer) => {
    expect(ownDeposits([withAnswer(answer) as Operation], [])({ chain: 'ethereum', address: '' })).toBeNull();
  });

  test('the address of a loaded deposit is ours; a withdrawal’s is not', () => {
    const deposit = { id: 'dep_1', ...ACME, received_amount: '1' };
    expect(ownDeposits([], [deposit])(ACME)).toMatchObject({ at: null });
    expect(ownDeposits([], [{ id: 'wd_1', ...ACME, amount: '1' }])(ACME)).toBeNull();
  });
});
