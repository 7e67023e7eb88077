import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Rows } from './ports.ts';
import { openSqlRows } from './sqlRows.ts';
import { attemptWith, batchLine, operationRecord, START } from './testAnswers.ts';
import { clearJournal, insertRecord, replaceRecord } from './testSqlRows.ts';

// Rules that the database enforces by itself.

let database: Database;
let rows: Rows;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  rows = await openSqlRows(database);
}, 60_000);
afterAll(() => database.close());
beforeEach(async () => {
  await clearJournal(database);
  await database.script(`insert into operations.batches (id, seq, service, account, credential, at, file, fingerprint, lines, state, revision)
    values ('batch_1', 1, 's', 'a', 'c', 0, '', 'f', 2, 'waiting', 0)`);
});

const awaiting = operationRecord({ key: 'batch_1.1', state: 'awaiting', ...batchLine(1) });
const withReference = (line: number): Partial<OperationRecord> => ({
  batch: { id: 'batch_1', line, reference: 'INV-1', recipient: null },
});
const change = (text: string): Promise<void> => database.script(`update operations.operations set ${text}`);

test.each([
  "state = 'sending', key = 'other'",
  "state = 'sending', body = body || ' '",
  "state = 'sending', path = '/v1/other'",
  "state = 'sending', account = 'other'",
  "state = 'sending', account_id = 'other'",
  "state = 'sending', second_send_of = '[\"k\"]'",
  "state = 'sending', line = 2",
  "state = 'sending', reference = 'other'",
  "state = 'sending', recorded_server = recorded_server + 1",
  'first_server = first_server + 1',
  "state = 'paid', first_server = first_server + 1",
])('what was recorded never changes: %s', async (text) => {
  await insertRecord(rows, awaiting);
  await expect(change(text)).rejects.toThrow(/cannot change|set once|violates/);
});

test('an operation is recorded before it is sent, and never deleted', async () => {
  await expect(
    rows.write((transaction) => transaction.insert(operationRecord({ state: 'sending' }), 'x')),
  ).rejects.toThrow();
  await insertRecord(rows, awaiting);
  await expect(database.script('delete from operations.operations')).rejects.toThrow('never deleted');
  await expect(insertRecord(rows, operationRecord({ key: 'alone', state: 'awaiting' }))).rejects.toThrow();
});

test('only a waiting line of a batch gets new first-send clocks, once, with its first attempt', async () => {
  await insertRecord(rows, awaiting);
  const now = { ...START, server: START.server + 5_000 };
  const sending = { ...awaiting, state: 'sending' as const, firstSent: now, revision: 1, attempts: [attemptWith()] };
  await replaceRecord(rows, sending, awaiting);
  expect((await rows.byKey('batch_1.1'))?.record).toEqual(sending);
  await expect(change('first_server = first_server + 1')).rejects.toThrow('set once');
});

test('a line returns to waiting only while no attempt can have connected', async () => {
  await insertRecord(rows, awaiting);
  const running = attemptWith();
  const sending = { ...awaiting, state: 'sending' as const, revision: 1, attempts: [running] };
  await replaceRecord(rows, sending, awaiting);
  const back = { ...sending, state: 'awaiting' as const, revision: 2 };
  await expect(replaceRecord(rows, back, sending)).rejects.toThrow();
  await expect(
    replaceRecord(rows, { ...back, attempts: [{ ...running, end: 1, outcome: 'no-answer' }] }, sending),
  ).rejects.toThrow();
  const proven = { ...back, attempts: [{ ...running, end: 1, outcome: 'not-made' as const }] };
  await replaceRecord(rows, proven, sending);
  expect((await rows.byKey('batch_1.1'))?.record).toEqual(proven);
});

test.each(['not-sent', 'refused', 'closed'] as const)(
  'an operation that ended as %s cannot be sent again',
  async (state) => {
    await insertRecord(rows, operationRecord({ state, ...batchLine(1) }));
    for (const next of ['ready', 'awaiting', 'sending'])
      await expect(change(`state = '${next}'`)).rejects.toThrow(/start again|go back/);
  },
);

test('an unconfirmed or succeeded operation cannot go back to waiting', async () => {
  await insertRecord(rows, operationRecord({ state: 'ready', ...batchLine(1) }));
  for (const state of ['unconfirmed', 'succeeded']) {
    await change(`state = '${state}'`);
    await expect(change("state = 'awaiting'")).rejects.toThrow('go back');
  }
});

test('a line number is unique in its batch, and a reference among payments that count', async () => {
  await insertRecord(rows, { ...awaiting, ...withReference(1) });
  const other = operationRecord({ key: 'other', state: 'awaiting', ...batchLine(1) });
  await expect(insertRecord(rows, other)).rejects.toThrow();
  const second = { ...other, ...withReference(2) };
  await expect(insertRecord(rows, second)).rejects.toThrow();
  await change("state = 'not-sent'");
  await insertRecord(rows, second);
});
