import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Rows } from './ports.ts';
import { JOURNAL_MIGRATIONS, JOURNAL_VERSION, openSqlRows } from './sqlRows.ts';
import { attemptWith, operationRecord } from './testAnswers.ts';
import { insertRecord } from './testSqlRows.ts';

// A database of version 9, which recorded names without the ids of the people.

let database: Database;
let rows: Rows;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  rows = await openSqlRows(database);
}, 60_000);
afterAll(() => database.close());

/** Brings the tables to version 9 and starts a server of this version. */
async function upgrade(): Promise<void> {
  await database.script(`alter table operations.operations drop column person;
    update operations.attempts set details = replace(details, ',"person":null', '');
    update operations.operations set ending = replace(ending, ',"person":null', '');
    delete from operations.migrations where version = ${JOURNAL_MIGRATIONS.length};
    update operations.journal set version = 9`);
  rows = await openSqlRows(database);
}

let lines = 0;
async function act(kind: string, subject: string, person: string | null): Promise<void> {
  lines += 1;
  await database.query(
    `insert into activity.lines (number, at, service, account, person, who, kind, subject, facts, mac)
     values ($1, 1, 's', 'a', $2, 'Ann', $3, $4, '{}', '')`,
    [lines, person, kind, subject],
  );
}

function insert(key: string, more: Partial<OperationRecord> = {}): Promise<void> {
  const body = operationRecord().body.replace('bc1', `bc1${key}`);
  return insertRecord(rows, operationRecord({ key, body, ...more }));
}

const closed = { by: 'hand', words: 'So.', who: 'Ann', person: null, at: 1, requestId: null } as const;

it('an upgrade takes the people of older rows from the activity, and leaves typed names unproven', async () => {
  const ended = { state: 'closed', ending: closed, ended: operationRecord().firstSent } as const;
  await insert('typed', ended);
  await act('operation.recorded', 'typed', null);
  await act('operation.closed', 'typed', null);
  await insert('signed', { signed: { maker: 'per_ann', contentHash: 'x' } });
  const presses = [
    attemptWith({ id: 'at_1', outcome: 'no-answer' }),
    attemptWith({ id: 'at_2', outcome: 'no-answer', by: 'automatic', who: null }),
    attemptWith({ id: 'at_3', outcome: 'no-answer' }),
  ];
  await insert('proven', { ...ended, attempts: presses });
  await act('operation.recorded', 'proven', 'per_ann');
  // The first press was in key mode.
  await act('operation.sent', 'proven', null);
  await act('operation.sent', 'proven', 'per_ann');
  await act('operation.closed', 'proven', 'per_ann');
  await upgrade();
  const peopleOf = async (key: string) => {
    const record = (await rows.byKey(key))?.record;
    return [record?.person, record?.attempts.map(({ person }) => person), record?.ending?.person];
  };
  expect(await peopleOf('typed')).toEqual([null, [], null]);
  expect(await peopleOf('signed')).toEqual(['per_ann', [], undefined]);
  expect(await peopleOf('proven')).toEqual(['per_ann', [null, null, 'per_ann'], 'per_ann']);
  // The condition of that version's every write.
  expect(await database.query('select 1 as one from operations.journal where version = 9')).toEqual([]);
  expect(await database.query('select version from operations.journal')).toEqual([{ version: JOURNAL_VERSION }]);
});
