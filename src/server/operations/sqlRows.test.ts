import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { duplicateKeyOfRecord } from './rowText.ts';
import { JournalAway, keyOf, type Rows } from './ports.ts';
import { openSqlRows } from './sqlRows.ts';
import { LIST_ALL, OTHER_ACCOUNT, OWNER, SENT, START, attemptWith, operationRecord } from './testAnswers.ts';
import { clearJournal, insertRecord, replaceRecord, withoutRules } from './testSqlRows.ts';
import { propertyRuns } from '#src/tests/depth.ts';

// The journal's rows in a real database, and its constraints.

let database: Database;
let rows: Rows;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  rows = await openSqlRows(database);
  await withoutRules(database);
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const LATER = { service: START.service + 1, server: START.server + 1, database: START.database + 1 };
const SINCE_LATER = { proven: LATER, unproven: LATER };
const insert = (one: OperationRecord, into = rows) => insertRecord(into, one);
const replace = (next: OperationRecord, before: OperationRecord, into = rows) => replaceRecord(into, next, before);
const change = (text: string): Promise<void> =>
  database.script(`update operations.operations set ${text} where key = 'key-1'`);

describe('a record', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'));
  const times = fc.integer({ min: 0, max: 4_000_000_000_000 });
  const clocks = fc.record({ service: fc.integer({ min: 0, max: 4_000_000_000 }), server: times, database: times });
  const notes = fc
    .record({
      id: texts,
      start: times,
      end: fc.option(times),
      date: fc.option(fc.nat()),
      who: fc.option(texts),
      person: fc.option(texts),
      status: fc.option(fc.nat(999)),
      requestId: fc.option(texts),
      replayed: fc.boolean(),
      errorMessage: fc.option(fc.string({ unit: 'binary' })),
      resultId: fc.option(texts),
      late: fc.boolean(),
    })
    .map((more) => attemptWith(more));
  const served = { text: fc.string({ unit: 'binary' }), requestId: fc.option(texts) };
  const changing = fc.record({
    state: fc.constantFrom('sending', 'unconfirmed', 'succeeded', 'refused', 'closed'),
    lastSent: clocks,
    attempts: fc.array(notes, { maxLength: 4 }),
    revision: fc.constant(1),
  });
  const optional = fc.record(
    {
      reason: fc.constantFrom('no-answer', 'mismatch'),
      retryAt: times,
      asleepUntil: times,
      leaseUntil: times,
      ended: clocks,
      result: fc.record({
        ...served,
        id: texts,
        by: fc.constantFrom('answer', 'check'),
        confirmed: fc.constant(['asset']),
      }),
      contradiction: fc.record({ ...served, id: texts, by: fc.constant('answer') }),
      ending: fc.record({
        by: fc.constant('hand'),
        words: fc.string({ unit: 'binary' }),
        who: fc.option(texts),
        person: fc.option(texts),
        at: times,
        requestId: fc.option(texts),
      }),
    },
    { requiredKeys: [] },
  );

  it('is read back byte for byte, after an insert and after a change', async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({ who: fc.option(texts), person: fc.option(texts) }),
        fc.array(texts),
        clocks,
        changing,
        optional,
        async (author, seen, firstSent, more, fields) => {
          n += 1;
          const address = `bc1q${n}"'\\é\u202E😀`;
          const body = JSON.stringify({ ...SENT, address });
          const first = operationRecord({
            key: `k"'${n}`,
            ...author,
            secondSendOf: seen,
            firstSent,
            lastSent: firstSent,
            body,
            leaseUntil: 1,
          });
          await insert(first);
          expect(await rows.byKey(first.key)).toEqual({
            record: first,
            duplicateKey: duplicateKeyOfRecord(first),
            seq: expect.any(BigInt),
          });
          const { leaseUntil: _, ...rest } = first;
          const ids = fields.result ? { result: { ...fields.result, id: `wd_${n}${fields.result.id}` } } : {};
          const next = { ...rest, ...more, ...fields, ...ids } as OperationRecord;
          await replace(next, first);
          expect(await rows.byKey(first.key)).toEqual({
            record: next,
            duplicateKey: duplicateKeyOfRecord(next),
            seq: expect.any(BigInt),
          });
        },
      ),
      { numRuns: propertyRuns(30) },
    );
  });

  it('can be replaced only by its next revision', async () => {
    await insert(operationRecord());
    const next = operationRecord({ state: 'not-sent', revision: 1 });
    await replace(next, operationRecord());
    await expect(replace(next, operationRecord())).rejects.toThrow();
    expect(await rows.byKey('key-1')).toMatchObject({ record: { state: 'not-sent', revision: 1 } });
  });
});

describe('constraints of the database, which roll back a refused write', () => {
  const elsewhere = (more: Partial<OperationRecord>) =>
    operationRecord({ key: 'key-2', body: JSON.stringify({ ...SENT, address: 'bc1qelse' }), ...more });
  const done = {
    result: { id: 'wd_1', text: '{}', requestId: null, by: 'answer' as const, confirmed: [] },
    state: 'succeeded' as const,
  };

  it.each<[string, OperationRecord]>([
    ['the same key', elsewhere({ key: 'key-1' })],
    ['a second unresolved one with a duplicate key', operationRecord({ key: 'key-2' })],
    ['a second withdrawal with one id', elsewhere(done)],
    [
      'a second withdrawal with one id, under another spelling of the host',
      elsewhere({ service: 'https://b.test', ...done }),
    ],
  ])('%s', async (_what, second) => {
    const first = second.result ? operationRecord(done) : operationRecord();
    await insert(first);
    const { position } = await rows.facts();
    await expect(insert(second)).rejects.toBeInstanceOf(JournalAway);
    expect((await rows.list(LIST_ALL)).rows).toMatchObject([{ record: { key: 'key-1' } }]);
    expect((await rows.facts()).position).toBe(position);
  });

  it('allow another account, the sandbox, ended operations, and a charge with the same id', async () => {
    await insert(operationRecord(done));
    await insert(operationRecord({ key: 'k2', state: 'unconfirmed', reason: 'no-answer' }));
    await insert(operationRecord({ key: 'k3', account: OTHER_ACCOUNT }));
    await insert(operationRecord({ key: 'k4', service: 'sandbox', ...done }));
    await insert(operationRecord({ key: 'k5', kind: 'charge', path: '/v1/charges', body: '{}', ...done }));
    expect((await rows.list(LIST_ALL)).rows).toHaveLength(3);
  });

  it('refuse writes of a server of another version', async () => {
    await database.script('update operations.journal set version = version + 1');
    await expect(insert(operationRecord())).rejects.toBeInstanceOf(JournalAway);
    await expect(openSqlRows(database)).rejects.toThrow('newer version');
  });

  it('roll back a transaction that throws', async () => {
    await expect(
      rows.write(async (transaction) => {
        await transaction.insert(operationRecord(), duplicateKeyOfRecord(operationRecord()));
        throw new TypeError('a mistake of ours');
      }),
    ).rejects.toThrow('a mistake of ours');
    expect(await rows.byKey('key-1')).toBeNull();
  });
});

describe('a row that cannot be read', () => {
  it.each([
    ['checksum', `body = replace(body, '0.75', '9.75')`],
    ['checksum', `amount = 0.01`],
    ['checksum', `asset_key = 'eth'`],
    ['schema', `state = 'paid'`],
    ['schema', `reason = 'unknown'`],
    ['schema', `result = '{'`],
    ['schema', `result_id = 'wd_9'`],
    ['schema', `path = '/v1/other'`],
    ['schema', `kind = 'loan'`],
  ])('(%s) by %s is no record, is listed, holds its duplicate key, and cannot be replaced', async (why, text) => {
    await insert(operationRecord());
    await change(text);
    const unreadable = { ...OWNER, key: 'key-1', why, firstSentAt: START.service, closed: null };
    expect(await rows.byKey('key-1')).toEqual({
      duplicateKey: duplicateKeyOfRecord(operationRecord()),
      seq: expect.any(BigInt),
      unreadable,
    });
    expect((await rows.list(LIST_ALL)).rows).toMatchObject([{ unreadable: { key: 'key-1' } }]);
    expect(await rows.byDuplicateKey(duplicateKeyOfRecord(operationRecord()), SINCE_LATER)).toHaveLength(1);
    await expect(replace(operationRecord({ revision: 9 }), operationRecord({ revision: 8 }))).rejects.toThrow();
  });

  it('by an attempt of a newer version', async () => {
    await insert(operationRecord());
    await replace(operationRecord({ revision: 1, attempts: [attemptWith()] }), operationRecord());
    await database.script(`update operations.attempts set outcome = 'teleported'`);
    expect(await rows.byKey('key-1')).toMatchObject({ unreadable: { why: 'schema' } });
  });

  it('is closed without changing the row, and frees its duplicate key', async () => {
    await insert(operationRecord());
    await change(`reason = 'unknown'`);
    await rows.write((transaction) => transaction.closeUnreadable('key-1', { words: 'Seen.', who: 'Ann', at: 7 }));
    expect(await rows.byKey('key-1')).toMatchObject({ unreadable: { closed: { words: 'Seen.', at: 7 } } });
    await change(`reason = null`);
    expect(await rows.byKey('key-1')).toMatchObject({ unreadable: { closed: { words: 'Seen.' } } });
    await insert(operationRecord({ key: 'key-2' }));
  });
});

it('rows with one duplicate key are read from a time on: those with an unknown outcome from an earlier one', async () => {
  const ended = (days: number) => {
    const ms = days * 86_400_000;
    return { service: START.service + days * 86_400, server: START.server + ms, database: START.database + ms };
  };
  for (const state of ['succeeded', 'closed'] as const)
    for (const days of [1, 2, 3]) {
      const key = `${state} ${days}`;
      await insert(operationRecord({ key }));
      await replace(operationRecord({ key, revision: 1, state, ended: ended(days) }), operationRecord({ key }));
    }
  const keysSince = async (since: Parameters<typeof rows.byDuplicateKey>[1]) =>
    (await rows.byDuplicateKey(duplicateKeyOfRecord(operationRecord()), since)).map((row) => keyOf(row));
  const all = await keysSince(null);
  expect(all).toHaveLength(6);
  const since = { proven: ended(2.5), unproven: ended(1.5) };
  expect(await keysSince(since)).toEqual(['succeeded 3', 'closed 2', 'closed 3']);
  expect(await rows.batches.byDuplicateKeys([duplicateKeyOfRecord(operationRecord())], since)).toHaveLength(3);
});
