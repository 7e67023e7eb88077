import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Actor } from '#src/server/operations/ports.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { machineClock } from '#src/server/http/clock.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { openOperations } from './openOperations.ts';
import { asked, emptyList, fakeService, KEY } from '#src/server/http/testGateway.ts';
import { credentialOf } from '#src/server/people/accounts.ts';

// A response that arrived while the database was away, in a process that ends before it is back.

let directory: string;
let database: Database;
let isAway: boolean;
/** Responses that the database doesn't take. */
let refuses: RegExp | null;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'unwritten-'));
  isAway = false;
  refuses = null;
  const memory = await openDatabase({ directory: 'memory' });
  const refused = (): Promise<never> => Promise.reject(new Error('The database is away.'));
  database = {
    ...memory,
    query: (text, params) => (isAway ? refused() : memory.query(text, params)),
    transaction: (work) => {
      if (isAway) return refused();
      return memory.transaction((tx) =>
        work({ ...tx, query: (text, params) => (refuses?.test(text) ? refused() : tx.query(text, params)) }),
      );
    },
  };
}, 60_000);
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
  vi.restoreAllMocks();
});

const kept = (): string[] => readdirSync(directory).filter((name) => name !== 'journal-mark');
const actorOn = (url: string): Actor & { apiKey: string } => {
  return {
    account: credentialOf(KEY, url),
    credential: credentialOf(KEY, url),
    session: null,
    person: null,
    apiKey: KEY,
    who: null,
    rights: KEY_RIGHTS,
    clock: machineClock,
  };
};

async function opened(url: string) {
  const settings = {
    dataDirectory: directory,
    separateAccounts: false,
    operationsKillAt: null,
    secret: 'a secret of this test',
    spellings: [],
    checkSignature: null,
  };
  const held = await openOperations(forwardTo(url), await openSqlRows(database), settings);
  const { operations } = held;
  const recorded = async (): Promise<OperationRecord> => {
    const found = await operations.journal.find(actorOn(url), 'key-1');
    if (found.kind !== 'record') throw new Error('Nothing is recorded.');
    return found.record;
  };
  return { operations, stop: () => held.stop(), recorded };
}

/** A service that answers a POST when the database is away. */
async function awayAtTheAnswer(): Promise<string> {
  const { url } = await fakeService((req, res, body) => {
    if (req.method === 'GET') return emptyList(req, res);
    isAway = true;
    const object = { id: 'wd_1', ...JSON.parse(body) };
    res.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(object));
  });
  return url;
}

test('is kept on disk and written at the next start', async () => {
  const url = await awayAtTheAnswer();
  const first = await opened(url);
  const request = asked() as Parameters<typeof first.operations.starting.start>[2];
  expect(await first.operations.starting.start(actorOn(url), 'key-1', request)).toMatchObject({ kind: 'inserted' });
  await vi.waitFor(() => expect(first.operations.attempts.unwritten()).toHaveLength(1));
  await first.stop();
  expect(kept()).toEqual([expect.stringMatching(/^unwritten-answers-[0-9a-f]+\.json$/)]);
  isAway = false;
  expect((await first.recorded()).state).toBe('sending');
  const second = await opened(url);
  expect(await second.recorded()).toMatchObject({ state: 'succeeded', result: { id: 'wd_1' } });
  expect(kept()).toEqual([]);
});

test.each(['/dev/null/x', 'memory'])('that %s cannot keep either ends the server with its key', async (unusable) => {
  const writable = directory;
  directory = unusable;
  const url = await awayAtTheAnswer();
  const server = await opened(url);
  directory = writable;
  const request = asked() as Parameters<typeof server.operations.starting.start>[2];
  await server.operations.starting.start(actorOn(url), 'key-1', request);
  await vi.waitFor(() => expect(server.operations.attempts.unwritten()).toHaveLength(1));
  await expect(server.stop()).rejects.toThrow(
    `answers to key-1 are kept nowhere, so check them: DATA_DIR (${unusable})`,
  );
});

test('that the journal never takes keeps neither the server nor the other answers', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const url = await awayAtTheAnswer();
  const first = await opened(url);
  const request = asked() as Parameters<typeof first.operations.starting.start>[2];
  await first.operations.starting.start(actorOn(url), 'key-1', request);
  await vi.waitFor(() => expect(first.operations.attempts.unwritten()).toHaveLength(1));
  await first.stop();
  const before = kept();
  isAway = false;
  refuses = /insert into operations\.attempts/;
  await opened(url);
  expect(said).toHaveBeenCalledWith(expect.stringMatching(/answer to key-1 cannot be written/));
  expect(said.mock.lastCall?.join(' ')).not.toContain('wd_1');
  expect(kept()).toEqual(before);
  refuses = null;
  expect(await (await opened(url)).recorded()).toMatchObject({ state: 'succeeded' });
});

test('to an operation that the database no longer has stays on disk', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const answer = { account: 'a', key: 'key-lost', event: { type: 'demote' } };
  writeFileSync(join(directory, 'unwritten-answers-0.json'), JSON.stringify([answer]));
  await opened('http://127.0.0.1:9');
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('answer to key-lost'));
  expect(kept()).toEqual(['unwritten-answers-0.json']);
});

test('to an attempt that the restored database doesn’t have stays on disk', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const url = await awayAtTheAnswer();
  const first = await opened(url);
  const request = asked() as Parameters<typeof first.operations.starting.start>[2];
  await first.operations.starting.start(actorOn(url), 'key-1', request);
  await vi.waitFor(() => expect(first.operations.attempts.unwritten()).toHaveLength(1));
  await first.stop();
  isAway = false;
  await database.script(`delete from operations.attempts; update operations.operations set state = 'ready'`);
  const before = kept();
  await opened(url);
  expect(kept()).toEqual(before);
});

test('that was half kept when the power went does not keep the server from starting, and stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  writeFileSync(join(directory, 'unwritten-answers-0.json'), '[{"account":');
  writeFileSync(join(directory, 'other.json'), '[]');
  const { operations } = await opened('http://127.0.0.1:9');
  expect(operations.attempts.unwritten()).toEqual([]);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining('unwritten-answers-0.json'), expect.anything());
  expect(kept()).toEqual(['other.json', 'unwritten-answers-0.json']);
});

test('leaves nothing on disk where all was written', async () => {
  await (await opened('http://127.0.0.1:9')).stop();
  expect(kept()).toEqual([]);
});

test('a database that went back is noticed at the next start, by the mark on this server’s disk', async () => {
  const first = await opened('http://127.0.0.1:9');
  await first.operations.journal.writeTombstone(actorOn('http://127.0.0.1:9'), 'key-1', 'discarded');
  await first.stop();
  const again = await opened('http://127.0.0.1:9');
  expect((await again.operations.ports.rows.facts()).setBackAt).toBeNull();
  await again.stop();
  await database.script(`delete from operations.tombstones; delete from operations.marks where position > 0;
    update operations.journal set position = 0`);
  const restored = await opened('http://127.0.0.1:9');
  expect((await restored.operations.ports.rows.facts()).setBackAt).not.toBeNull();
});

test('a database that went back under an idle server is noticed without any request', async () => {
  const { operations, stop } = await opened('http://127.0.0.1:9');
  await operations.journal.writeTombstone(actorOn('http://127.0.0.1:9'), 'key-1', 'discarded');
  await database.script(`delete from operations.tombstones; delete from operations.marks where position > 0;
    update operations.journal set position = 0`);
  const setBackAt = async () =>
    (await database.query('select set_back_at from operations.journal'))[0]?.['set_back_at'];
  await vi.waitFor(async () => expect(await setBackAt()).not.toBeNull(), { timeout: 10_000 });
  await stop();
});
