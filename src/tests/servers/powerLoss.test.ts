import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { machineClock } from '#src/server/http/clock.ts';
import { type Journal, createJournal } from '#src/server/operations/journal.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import type { Rows, OperationActor } from '#src/server/operations/ports.ts';
import { newKey } from '#src/shared/operations/random.ts';
import { DEEP } from '#src/tests/depth.ts';
import { note } from './figures.ts';
import { type Disk, watchDisk } from './disk.ts';
import { withdrawalTo } from './person.ts';

const ROUNDS = DEEP ? 300 : 3;
const PAGE = 8192;
const SEGMENT = 16 * 1024 * 1024;
const SERVICE = 'https://pay.example';

const actor: OperationActor = {
  account: 'a',
  credential: 'a',
  session: null,
  person: null,
  apiKey: 'k',
  who: null,
  rights: KEY_RIGHTS,
  clock: machineClock,
};

function journalOn(rows: Rows): Journal {
  const none = () => Promise.reject(new Error('Nothing is asked of the service here.'));
  const service = { name: SERVICE, read: none, connect: none };
  return createJournal({ rows, service, separateAccounts: false });
}

let directory: string;
let database: Database;
let disk: Disk;
let journal: Journal;
/** What the journal has acknowledged, by key: the record's revision and state, or a tombstone. */
const acknowledged = new Map<string, string>();

beforeAll(async () => {
  directory = fs.mkdtempSync(join(tmpdir(), 'countinghouse-power-'));
  const made = await openDatabase({ directory });
  await made.close();
  disk = watchDisk(join(directory, 'db'), join(directory, 'kept'));
  database = await openDatabase({ directory });
  journal = journalOn(await openSqlRows(database));
}, 60_000);
afterAll(async () => {
  disk.end();
  await database.close();
  fs.rmSync(directory, { recursive: true });
});

async function outcomeOf(of: Journal, key: string): Promise<string> {
  const found = await of.find(actor, key);
  if (found.kind !== 'record') return found.kind;
  const { state, revision, attempts } = found.record;
  return JSON.stringify({ state, revision, attempts });
}

/** One write to the journal: a tombstone, a record or a send, in turn. */
async function write(): Promise<void> {
  const turn = acknowledged.size % 5;
  const key = newKey();
  if (turn === 0) {
    await journal.writeTombstone(actor, key, 'discarded');
  } else {
    const { kind, path, body } = withdrawalTo();
    const now = Date.now();
    const date = Math.floor(now / 1000);
    const request = { kind, path, body, second_send_of: [], not_after: now + 100_000 };
    await journal.insert(actor, key, request, { date, signature: null });
    if (turn > 1) {
      await journal.advance(actor, key, { type: 'send', attemptId: `at_${key}`, date, who: null, person: null });
    }
  }
  acknowledged.set(key, await outcomeOf(journal, key));
}

/** Fills the log after its last commit with random bytes, to the end of the page, as an interrupted write may. */
async function spoilTail(copy: string): Promise<void> {
  const [row] = await database.query<{ file: string; at: string }>(
    'select pg_walfile_name(l) as file, (l - $1::pg_lsn)::text as at from pg_current_wal_flush_lsn() l',
    ['0/0'],
  );
  const at = Number(row?.at) % SEGMENT;
  const length = PAGE - (at % PAGE);
  const file = fs.openSync(join(copy, 'db/pg_wal', row?.file ?? ''), 'r+');
  fs.writeSync(file, Buffer.alloc(length, Math.random() < 0.5 ? 0 : 0xa5), 0, length, at);
  fs.closeSync(file);
}

test('power lost right after a commit was acknowledged: nothing acknowledged is missing (row 24b)', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let left = Math.floor(Math.random() * 5); left >= 0; left -= 1) await write();
    if (round % 5 === 2) await database.script('checkpoint');
    if (round % 20 === 19) await database.script('select pg_switch_wal()');
    await write();
    const copy = join(directory, `copy-${round}`);
    disk.left(join(copy, 'db'), round % 3 > 0);
    if (round % 3 === 2) await spoilTail(copy);
    const again = await openDatabase({ directory: copy });
    const found = journalOn(await openSqlRows(again));
    const after = new Map<string, string>();
    for (const key of acknowledged.keys()) after.set(key, await outcomeOf(found, key));
    expect(after, `round ${round}`).toEqual(acknowledged);
    await again.close();
    fs.rmSync(copy, { recursive: true });
  }
  // On a busy machine an attempt may be too late to be made, which is a fourth state.
  const states = [...acknowledged.values()].map((text) => /"state":"([^"]*)/.exec(text)?.[1] ?? text);
  expect(states).toEqual(expect.arrayContaining(['ready', 'sending', 'tombstone']));
  note('power lost', { copies: ROUNDS, commits: acknowledged.size });
}, 7_200_000);
