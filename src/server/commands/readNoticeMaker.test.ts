import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { ACCOUNT, operationRecord, SERVICE } from '#src/server/operations/testAnswers.ts';
import { insertRecord } from '#src/server/operations/testSqlRows.ts';
import { readNoticeMaker } from './readNoticeMaker.ts';

let database: Database;
let rows: Rows;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  rows = await openSqlRows(database);
  const result = { id: 'wd_1', text: '{}', requestId: null, by: 'answer' as const, confirmed: [] };
  const record = operationRecord({ key: 'key-1', state: 'succeeded', result });
  await insertRecord(rows, record);
  // The line of the person who recorded it, and one of another person who pressed Send.
  for (const [number, kind, person] of [
    [1, 'operation.recorded', 'ada'],
    [2, 'operation.sent', 'bo'],
  ] as const)
    await database.query(
      `insert into activity.lines (number, at, service, account, person, kind, subject, facts, mac)
       values ($1, $2, $3, $4, $5, $6, 'key-1', '{}', '')`,
      [number, String(record.firstSent.database), SERVICE, ACCOUNT, person, kind],
    );
});
afterAll(() => database.close());

const people = {
  namerOf: async (account: string, id: string) => (account === ACCOUNT && id === 'recipient-1' ? 'di' : null),
};
const makerOf = (more: Partial<Parameters<ReturnType<typeof readNoticeMaker>>[0]>) =>
  readNoticeMaker({ service: SERVICE, queries: database, rows, people })({
    account: ACCOUNT,
    event: 'operation.unconfirmed',
    subject: 'key-1',
    ...more,
  });

test('the maker of a payment is the person who prepared it', async () => {
  expect(await makerOf({})).toBe('ada');
  expect(await makerOf({ event: 'payment.failed', subject: 'withdrawal wd_1' })).toBe('ada');
});

test('the maker of a waiting recipient is the person who named it', async () => {
  expect(await makerOf({ event: 'recipient.waiting', subject: 'recipient-1' })).toBe('di');
});

test.each([
  { event: 'recipient.changed' as const, subject: 'recipient-1' },
  { event: 'recipient.waiting' as const, subject: '' },
  { subject: 'key-2' },
  { account: 'another' },
  { event: 'payment.failed' as const, subject: 'withdrawal wd_2' },
  { event: 'payment.failed' as const, subject: 'deposit wd_1' },
  { event: 'balance.wrong' as const, subject: 'BTC' },
  { subject: '' },
])('nobody here made it: %j', async (more) => {
  expect(await makerOf(more)).toBeNull();
});

test('the maker of a batch and of its lines is the person who recorded the batch', async () => {
  await database.query(
    `insert into operations.batches
       (id, seq, service, account, credential, person, at, file, fingerprint, lines, state, revision)
     values ('batch-1', 1, $1, $2, 'c', 'cy', 1, '', 'f', 1, 'waiting', 0)`,
    [SERVICE, ACCOUNT],
  );
  const { firstSent, ...record } = operationRecord({ key: 'line-1', state: 'awaiting' });
  const batch = { id: 'batch-1', line: 1, reference: null, recipient: null };
  await insertRecord(rows, { ...record, firstSent, batch, recorded: firstSent });
  expect(await makerOf({ subject: 'line-1' })).toBe('cy');
  expect(await makerOf({ event: 'batch.awaiting', subject: 'batch-1' })).toBe('cy');
  expect(await makerOf({ account: 'another', event: 'batch.awaiting', subject: 'batch-1' })).toBeNull();
});
