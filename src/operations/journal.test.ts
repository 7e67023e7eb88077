import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withdrawalBody } from './body.ts';
import { type Journal, openJournal } from './journal.ts';
import { damage } from './testJournal.ts';
import { SENT, SESSION, T0, record } from './testWorld.ts';

let journal: Journal;
beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  journal = openJournal();
});
afterEach(() => vi.unstubAllGlobals());

const to = (address: string): string => withdrawalBody({ ...SENT, address });
const other = record({ id: 'op_2', key: 'key-2' });

describe('insert', () => {
  it('keeps the record to the byte', async () => {
    const first = record({ secondSendOf: ['op_0'] });
    expect(await journal.insert(first)).toBeNull();
    expect(await openJournal().get('op_1')).toEqual(first);
  });

  it('writes with strict durability', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await journal.insert(record());
    expect(transaction).toHaveBeenCalledWith(['operations', 'closures'], 'readwrite', { durability: 'strict' });
    transaction.mockRestore();
  });

  it.each(['ready', 'sending', 'unconfirmed'] as const)(
    'finds a look-alike that is %s, and inserts nothing',
    async (state) => {
      await journal.insert(record({ state }));
      expect(await journal.insert(other)).toEqual({ existing: { id: 'op_1', foreign: false, damaged: false }, of: [] });
      expect((await journal.all()).records).toHaveLength(1);
    },
  );

  it.each([{ asset: 'btc' }, { chain: 'BTC' }, { address: SENT.address.toUpperCase() }, { amount: '100' }])(
    'knows the same destination in other letters: %j',
    async (differs) => {
      await journal.insert(record());
      expect(await journal.insert({ ...other, body: withdrawalBody({ ...SENT, ...differs }) })).not.toBeNull();
    },
  );

  it('takes another destination, another service, and base58 in other letters', async () => {
    await journal.insert(record({ body: to('1BoatSLRHtKNngkdXEeobR76b53LETtpyT') }));
    expect(await journal.insert({ ...other, body: to('1boatSLRHtKNngkdXEeobR76b53LETtpyT') })).toBeNull();
    expect(await journal.insert({ ...other, id: 'op_3', key: 'k3', body: to('1Other') })).toBeNull();
    const elsewhere = record({ id: 'op_4', key: 'k4', service: 'https://pay.example', body: to('1Other') });
    expect(await journal.insert(elsewhere)).toBeNull();
  });

  it('lets one of two inserts at once through', async () => {
    const tabs = [openJournal(), openJournal()];
    const results = await Promise.all([tabs[0]?.insert(record()), tabs[1]?.insert(other)]);
    expect(results.filter((result) => result === null)).toHaveLength(1);
    expect((await journal.all()).records).toHaveLength(1);
  });

  it('asks for a second send within 24 h of a success, and takes it once that one was seen', async () => {
    const done = record({ state: 'succeeded', endedAt: T0 + 3_600 });
    await journal.insert(done);
    const again = { ...other, firstSentAt: T0 + 3_600 + 24 * 3_600 - 1 };
    const shown = {
      source: 'journal',
      id: 'op_1',
      foreign: false,
      amount: SENT.amount,
      createdAt: T0,
      status: 'succeeded',
    };
    expect(await journal.insert(again)).toEqual({ existing: null, of: [shown] });
    expect(await journal.insert({ ...again, secondSendOf: ['op_9'] })).not.toBeNull();
    expect(await journal.insert({ ...again, secondSendOf: ['op_1'] })).toBeNull();
  });

  it.each([
    { state: 'refused' as const },
    { state: 'not-sent' as const },
    { state: 'succeeded' as const, firstSentAt: T0 - 24 * 3_600 },
  ])('has nothing against %j', async (past) => {
    await journal.insert(record(past));
    expect(await journal.insert(other)).toBeNull();
  });

  it('says of another account only that one exists', async () => {
    await journal.insert(record({ account: 'b'.repeat(32), state: 'unconfirmed', reason: 'no-answer' }));
    expect(await journal.insert(other)).toEqual({ existing: { id: 'op_1', foreign: true, damaged: false }, of: [] });
    await journal.insert(
      record({ id: 'op_5', key: 'k5', account: 'b'.repeat(32), state: 'succeeded', body: to('1Other') }),
    );
    const result = await journal.insert({ ...other, body: to('1Other') });
    expect(result?.of).toEqual([
      { source: 'journal', id: 'op_5', foreign: true, amount: null, createdAt: null, status: null },
    ]);
  });

  it('goes to the operation that used this key, whatever became of it', async () => {
    await journal.insert(record({ state: 'succeeded' }));
    const armed = { ...other, key: 'key-1' };
    expect(await journal.insert(armed)).toMatchObject({ existing: { id: 'op_1' } });
  });
});

describe('compare-and-set', () => {
  it('replaces only the revision that was read', async () => {
    await journal.insert(record());
    const next = record({ state: 'not-sent', revision: 1 });
    expect(await journal.replace(next, 0)).toBe(true);
    expect(await journal.replace({ ...next, revision: 1 }, 0)).toBe(false);
    expect(await journal.get('op_1')).toEqual(next);
  });

  it('lets one of two tabs win', async () => {
    await journal.insert(record());
    const next = record({ state: 'not-sent', revision: 1 });
    const won = await Promise.all([openJournal().replace(next, 0), openJournal().replace(next, 0)]);
    expect(won.filter(Boolean)).toHaveLength(1);
  });

  it('never changes key, body or account', async () => {
    await journal.insert(record());
    expect(await journal.replace(record({ key: 'key-9', revision: 1 }), 0)).toBe(false);
    expect(await journal.replace(record({ body: to('1Other'), revision: 1 }), 0)).toBe(false);
    expect(await journal.replace(record({ account: 'c', revision: 1 }), 0)).toBe(false);
  });
});

describe('a damaged record', () => {
  it.each<[string, (row: Record<string, unknown>) => object]>([
    ['checksum', (row) => ({ ...row, firstSentAt: T0 + 1 })],
    ['checksum', (row) => ({ ...row, body: to('1Other') })],
    ['checksum', (row) => ({ ...row, service: 'https://pay.example' })],
    ['checksum', (row) => ({ ...row, checksum: undefined })],
    ['schema', (row) => ({ ...row, body: 'garbage' })],
    ['schema', (row) => ({ ...row, state: 'paid' })],
    ['newer-version', (row) => ({ ...row, schema: 3, colour: 'red' })],
  ])('(%s) is set aside, cannot be replaced, and still blocks its look-alikes', async (why, change) => {
    await journal.insert(record());
    await damage('op_1', change);
    expect(await journal.get('op_1')).toBeNull();
    expect(await journal.replace(record({ revision: 1 }), 0)).toBe(false);
    const { records, damaged } = await journal.all();
    expect(records).toEqual([]);
    expect(damaged).toMatchObject([{ id: 'op_1', why, service: SESSION.service, firstSentAt: T0 }]);
    expect(await journal.insert(other)).toEqual({ existing: { id: 'op_1', foreign: false, damaged: true }, of: [] });
    expect(await journal.insert({ ...other, body: to('1Elsewhere') })).toBeNull();
  });

  it('blocks every new withdrawal when its destination cannot be read', async () => {
    await journal.insert(record());
    await damage('op_1', (row) => ({ ...row, gist: null, body: 'x' }));
    expect((await journal.all()).damaged).toMatchObject([{ blocks: null, service: null }]);
    expect(await journal.insert({ ...other, body: to('1Elsewhere') })).toMatchObject({ existing: { damaged: true } });
  });
});
