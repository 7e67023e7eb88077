import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { OperationActor } from '#src/server/operations/ports.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { machineClock } from '#src/server/http/clock.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { openOperations } from './openOperations.ts';
import { startBody, emptyList, fakeService, KEY } from '#src/server/http/testGateway.ts';
import { credentialOf } from '#src/server/people/accounts.ts';
import { DEEP } from '#src/tests/depth.ts';

// Responses that arrived while the database was away, in a process that ends before the database is back.

let directory: string;
let database: Database;
let isAway: boolean;
/** The database fails for statements that match. */
let failingStatement: RegExp | null;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'unwritten-'));
  isAway = false;
  failingStatement = null;
  const memory = await openDatabase({ directory: 'memory' });
  const refused = (): Promise<never> => Promise.reject(new Error('The database is away.'));
  database = {
    ...memory,
    query: (text, params) => (isAway ? refused() : memory.query(text, params)),
    transaction: (work) => {
      if (isAway) return refused();
      return memory.transaction((tx) =>
        work({ ...tx, query: (text, params) => (failingStatement?.test(text) ? refused() : tx.query(text, params)) }),
      );
    },
  };
}, 60_000);
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
  vi.restoreAllMocks();
});

const leftoverFiles = (): string[] => readdirSync(directory).filter((name) => name !== 'journal-mark');
const actorOn = (url: string): OperationActor & { apiKey: string } => {
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

async function openServer(url: string) {
  const settings = {
    dataDirectory: directory,
    separateAccounts: false,
    operationsKillAt: null,
    secret: 'a secret of this test',
    spellings: [],
    checkSignature: null,
  };
  const opened = await openOperations(forwardTo(url), await openSqlRows(database), settings);
  const { operations } = opened;
  const recorded = async (): Promise<OperationRecord> => {
    const found = await operations.journal.find(actorOn(url), 'key-1');
    if (found.kind !== 'record') throw new Error('Nothing is recorded.');
    return found.record;
  };
  return { operations, stop: () => opened.stop(), recorded };
}

/** A service that takes the database away before it answers a POST. */
async function awayAtTheAnswer(): Promise<string> {
  const { url } = await fakeService((req, res, body) => {
    if (req.method === 'GET') return emptyList(req, res);
    isAway = true;
    const object = { id: 'wd_1', ...JSON.parse(body) };
    res.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(object));
  });
  return url;
}

test('an unwritten response is saved to disk and written at the next start', async () => {
  const url = await awayAtTheAnswer();
  const first = await openServer(url);
  const request = startBody() as Parameters<typeof first.operations.starting.start>[2];
  expect(await first.operations.starting.start(actorOn(url), 'key-1', request)).toMatchObject({ kind: 'inserted' });
  await vi.waitFor(() => expect(first.operations.attempts.unwritten()).toHaveLength(1));
  await first.stop();
  expect(leftoverFiles()).toEqual([expect.stringMatching(/^unwritten-answers-[0-9a-f]+\.json$/)]);
  isAway = false;
  expect((await first.recorded()).state).toBe('sending');
  const second = await openServer(url);
  expect(await second.recorded()).toMatchObject({ state: 'succeeded', result: { id: 'wd_1' } });
  expect(leftoverFiles()).toEqual([]);
});

test.each(DEEP ? ['/dev/null/x', 'memory'] : ['memory'])(
  'if %s can’t store the response, stopping fails and names its key',
  async (unusable) => {
    const writable = directory;
    directory = unusable;
    const url = await awayAtTheAnswer();
    const server = await openServer(url);
    directory = writable;
    const request = startBody() as Parameters<typeof server.operations.starting.start>[2];
    await server.operations.starting.start(actorOn(url), 'key-1', request);
    await vi.waitFor(() => expect(server.operations.attempts.unwritten()).toHaveLength(1));
    await expect(server.stop()).rejects.toThrow(
      `answers to key-1 are kept nowhere, so check them: DATA_DIR (${unusable})`,
    );
  },
);

test.runIf(DEEP)(
  'a response that the journal rejects stays on disk and blocks neither the start nor other responses',
  async () => {
    const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const url = await awayAtTheAnswer();
    const first = await openServer(url);
    const request = startBody() as Parameters<typeof first.operations.starting.start>[2];
    await first.operations.starting.start(actorOn(url), 'key-1', request);
    await vi.waitFor(() => expect(first.operations.attempts.unwritten()).toHaveLength(1));
    await first.stop();
    const before = leftoverFiles();
    isAway = false;
    failingStatement = /insert into operations\.attempts/;
    await openServer(url);
    expect(errorLog).toHaveBeenCalledWith(expect.stringMatching(/answer to key-1 cannot be written/));
    expect(errorLog.mock.lastCall?.join(' ')).not.toContain('wd_1');
    expect(leftoverFiles()).toEqual(before);
    failingStatement = null;
    expect(await (await openServer(url)).recorded()).toMatchObject({ state: 'succeeded' });
  },
);

test.runIf(DEEP)('a response to an operation that the database no longer has stays on disk', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const answer = { account: 'a', key: 'key-lost', event: { type: 'demote' } };
  writeFileSync(join(directory, 'unwritten-answers-0.json'), JSON.stringify([answer]));
  await openServer('http://127.0.0.1:9');
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('answer to key-lost'));
  expect(leftoverFiles()).toEqual(['unwritten-answers-0.json']);
});

test.runIf(DEEP)('a response to an attempt that the restored database doesn’t have stays on disk', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const url = await awayAtTheAnswer();
  const first = await openServer(url);
  const request = startBody() as Parameters<typeof first.operations.starting.start>[2];
  await first.operations.starting.start(actorOn(url), 'key-1', request);
  await vi.waitFor(() => expect(first.operations.attempts.unwritten()).toHaveLength(1));
  await first.stop();
  isAway = false;
  await database.script(`delete from operations.attempts; update operations.operations set state = 'ready'`);
  const before = leftoverFiles();
  await openServer(url);
  expect(leftoverFiles()).toEqual(before);
});

test.runIf(DEEP)('a half-written file of responses stays on disk and doesn’t prevent the start', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  writeFileSync(join(directory, 'unwritten-answers-0.json'), '[{"account":');
  writeFileSync(join(directory, 'other.json'), '[]');
  const { operations } = await openServer('http://127.0.0.1:9');
  expect(operations.attempts.unwritten()).toEqual([]);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining('unwritten-answers-0.json'), expect.anything());
  expect(leftoverFiles()).toEqual(['other.json', 'unwritten-answers-0.json']);
});

test.runIf(DEEP)('a server that has written every response leaves no file', async () => {
  await (await openServer('http://127.0.0.1:9')).stop();
  expect(leftoverFiles()).toEqual([]);
});

test('a restored database is noticed at the next start, by the mark on this server’s disk', async () => {
  const first = await openServer('http://127.0.0.1:9');
  await first.operations.journal.writeTombstone(actorOn('http://127.0.0.1:9'), 'key-1', 'discarded');
  await first.stop();
  const again = await openServer('http://127.0.0.1:9');
  expect((await again.operations.ports.rows.facts()).setBackAt).toBeNull();
  await again.stop();
  await database.script(`delete from operations.tombstones; delete from operations.marks where position > 0;
    update operations.journal set position = 0`);
  const restored = await openServer('http://127.0.0.1:9');
  expect((await restored.operations.ports.rows.facts()).setBackAt).not.toBeNull();
});

test.runIf(DEEP)('a database that is restored under an idle server is noticed without any request', async () => {
  const { operations, stop } = await openServer('http://127.0.0.1:9');
  await operations.journal.writeTombstone(actorOn('http://127.0.0.1:9'), 'key-1', 'discarded');
  await database.script(`delete from operations.tombstones; delete from operations.marks where position > 0;
    update operations.journal set position = 0`);
  const setBackAt = async () =>
    (await database.query('select set_back_at from operations.journal'))[0]?.['set_back_at'];
  await vi.waitFor(async () => expect(await setBackAt()).not.toBeNull(), { timeout: 10_000 });
  await stop();
});
