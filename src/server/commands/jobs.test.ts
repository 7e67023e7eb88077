import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { fakeService, KEY, refusalIn, startGateway } from '#src/server/http/testGateway.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { machineJobClock } from '#src/server/jobs/jobClock.ts';
import { createJobs } from '#src/server/jobs/jobs.ts';
import { migrateJobs } from '#src/server/jobs/schema.ts';
import { loadTeamColumns } from '#src/server/jobs/teamColumns.ts';
import { loadTeamRecords } from '#src/server/jobs/teamRecords.ts';
import { listAnswer, NOTHING_CLOSED, testRow, type TestRow } from '#src/server/jobs/testProvider.ts';
import { memoryRows } from '#src/server/operations/testMemoryRows.ts';
import { emptyJournal } from '#src/server/operations/testMemoryJournal.ts';
import { credentialOf } from '#src/server/people/accounts.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { keySessionRights, sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import type { Team } from '#src/server/team/team.ts';
import { recipientId } from '#src/shared/contract/teamContract.ts';
import { openTeamWithJournal } from './openTeamWithJournal.ts';

// /api/jobs over HTTP, with a real database.

let sql: Database;
let team: Team;
let journal = emptyJournal('jnl_1');
const rows = memoryRows(() => journal, Date.now);
beforeAll(async () => {
  sql = await openDatabase({ directory: 'memory' });
  await migratePeople(sql);
  await migrateJobs(sql);
  team = await openTeamWithJournal(sql, rows);
}, 60_000);
afterAll(() => sql.close());

const CSV = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters: {} };

/** A gateway with a session, in front of a service whose lists each have these rows on one page. */
async function gatewayOf(items: readonly object[], change: Parameters<typeof startGateway>[1] = {}) {
  const service = await fakeService((_req, res) => {
    const answer = listAnswer(items, null);
    res.setHeader('Content-Type', 'application/json');
    res.end(answer.kind === 'answer' ? answer.text : '');
  });
  const jobs = createJobs({
    database: sql,
    service: { ...forwardTo(service.url), name: service.url },
    readSessionRights: keySessionRights,
    people: null,
    loadTeamColumns: (owner, payment) => loadTeamColumns({ team, rows }, owner, payment),
    ...NOTHING_CLOSED,
    statements: team.statements,
    loadTeamRecords: (owner, bounds) => loadTeamRecords({ team, rows, checksOf: () => [] }, owner, bounds),
    clock: machineJobClock,
    warn: () => undefined,
  });
  const gateway = await startGateway(service.url, {
    team,
    jobs,
    sessionRows: sessionRowsOf(sql, service.url),
    ...change,
  });
  journal = gateway.journal;
  const { call } = await gateway.signIn();
  service.seen.length = 0;
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    gateway.send(`/api/jobs${path}`, {
      method: 'POST',
      headers: { ...gateway.json, ...call, ...headers },
      body: JSON.stringify(body ?? {}),
    });
  /** Runs an export to its end and returns its id. */
  const exported = async (request: object = CSV): Promise<string> => {
    const answer = await post('', request);
    expect(answer.status).toBe(201);
    await jobs.runner.idle();
    return JSON.parse(answer.text).id;
  };
  return { ...gateway, service, jobs, call, post, exported };
}

test('an export is started, watched, listed and downloaded', async () => {
  const { post, get, call, jobs } = await gatewayOf([testRow(2), testRow(1)]);
  const started = JSON.parse((await post('', CSV)).text);
  expect(started).toMatchObject({ state: 'waiting', rows: 0, file: null, manifest: null, list: 'deposits' });
  await jobs.runner.idle();
  const job = JSON.parse((await get(`/api/jobs/${started.id}`, call)).text);
  expect(job).toMatchObject({ state: 'done', rows: 2, covered: 1 });
  const { data } = JSON.parse((await get('/api/jobs', call)).text);
  expect(data).toMatchObject([{ id: started.id, state: 'done', file: { sha256: job.file.sha256 } }]);
  // The browser doesn't send the account header for a link.
  const link = { Cookie: call['Cookie'] ?? '', 'Accept-Encoding': 'gzip' };
  const file = await get(`/api/jobs/${started.id}/file`, link);
  expect(file).toMatchObject({
    status: 200,
    complete: true,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${job.file.name}"`,
      'content-length': String(job.file.bytes),
      'cache-control': 'no-store, no-transform',
    },
  });
  const after = JSON.parse((await get(`/api/jobs/${started.id}`, call)).text);
  expect([job.downloaded_at, after.downloaded_at]).toEqual([null, expect.any(Number)]);
  expect(after.summary).toMatchObject({ totals: [{ asset: 'BTC', rows: 2, sum: '0.2' }], repeated: 0 });
  expect(file.text.match(/dep_\d/g)).toEqual(['dep_2', 'dep_1']);
  expect(createHash('sha256').update(file.text).digest('hex')).toBe(job.file.sha256);
  expect(JSON.parse(job.manifest)).toMatchObject({ rows: 2, file: { sha256: job.file.sha256, name: job.file.name } });
  expect(JSON.stringify([started, job, data])).not.toContain(KEY);
});

test('another account can’t see or download an export, not even by its link', async () => {
  const gateway = await gatewayOf([testRow(1)]);
  const id = await gateway.exported();
  const { call } = await gateway.signIn('sk_test_2');
  for (const path of [`/api/jobs/${id}`, `/api/jobs/${id}/file`]) {
    const answer = await gateway.get(path, call);
    expect([answer.status, refusalIn(answer).code]).toEqual([404, 'not_found']);
  }
  const removed = await gateway.send(`/api/jobs/${id}`, {
    method: 'DELETE',
    headers: { Origin: gateway.origin, ...call },
  });
  expect(removed.status).toBe(404);
  expect((await gateway.get(`/api/jobs/${id}/file`, gateway.call)).status).toBe(200);
});

test('requests without a session, for another account or from another origin start nothing', async () => {
  const { post, get, call, service, exported } = await gatewayOf([testRow(1)]);
  const id = await exported();
  service.seen.length = 0;
  for (const [headers, status] of [
    [{ Cookie: '' }, 401],
    [{ 'X-Account': credentialOf('sk_other', service.url) }, 409],
    [{ Origin: 'http://127.0.0.1:1' }, 403],
    [{ 'Content-Type': 'text/plain' }, 403],
  ] as const)
    expect((await post('', CSV, headers)).status).toBe(status);
  expect((await get(`/api/jobs/${id}/file`)).status).toBe(401);
  expect((await get('/api/jobs', { Cookie: call['Cookie'] ?? '' })).status).toBe(409);
  expect(service.seen).toEqual([]);
});

test('a sign-out on another server applies to the next download', async () => {
  const { get, call, exported } = await gatewayOf([testRow(1)]);
  const id = await exported();
  expect((await get(`/api/jobs/${id}/file`, call)).status).toBe(200);
  await sql.query(
    `update people.sessions set ended_at = ${NOW_MS}, ended_why = 'signed-out', key_box = null where ended_at is null`,
  );
  // This server has just read the session, so a read may still use it.
  expect((await get('/api/jobs', call)).status).toBe(200);
  expect((await get(`/api/jobs/${id}/file`, call)).status).toBe(401);
});

describe('an invalid export request', () => {
  const cases: [string, object][] = [
    ['another kind', { ...CSV, kind: 'import' }],
    ['another list', { ...CSV, list: 'charges' }],
    ['another format', { ...CSV, format: 'xlsx' }],
    ['no zone', { ...CSV, zone: 'Mars/Olympus' }],
    ['a member more', { ...CSV, more: 1 }],
    ['an unknown filter', { ...CSV, filters: { limit: 1 } }],
    ['a filter of another list', { ...CSV, filters: { to: 'bc1q' } }],
    ['a filter of the wrong kind', { ...CSV, filters: { created_after: '1' } }],
    ['an amount that is none', { ...CSV, filters: { min_amount: '-1' } }],
    ['nothing', {}],
  ];
  test('is refused', async () => {
    const { post, service } = await gatewayOf([]);
    for (const [name, body] of cases) {
      const answer = await post('', body);
      expect([name, answer.status, refusalIn(answer).code]).toEqual([name, 422, 'invalid_request_error']);
    }
    expect((await post('', { ...CSV, zone: 'x'.repeat(20_000) })).status).toBe(413);
    expect(service.seen).toEqual([]);
  });
});

test('a cancelled export is gone; an export that isn’t stopped can’t be continued', async () => {
  const { exported, send, post, get, call, origin } = await gatewayOf([testRow(1)]);
  const id = await exported();
  const again = await post(`/${id}/continue`);
  expect([again.status, refusalIn(again).code]).toEqual([409, 'moved_on']);
  expect((await send(`/api/jobs/${id}`, { method: 'DELETE', headers: { Origin: origin, ...call } })).status).toBe(204);
  const file = await get(`/api/jobs/${id}/file`, call);
  expect([file.status, refusalIn(file).code]).toEqual([410, 'gone']);
  expect((await post(`/${id}/continue`)).status).toBe(410);
  expect((await post('/unknown/continue')).status).toBe(404);
  expect(JSON.parse((await get('/api/jobs', call)).text)).toEqual({ data: [] });
});

test('more than 60 changes a minute are refused', async () => {
  const { post } = await gatewayOf([]);
  for (let n = 0; n < 60; n += 1) expect((await post('/unknown/continue')).status).toBe(404);
  const answer = await post('', CSV);
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '5']);
});

test('exports work on a read-only server', async () => {
  const { exported, get, call } = await gatewayOf([testRow(1)], { readOnly: true });
  expect((await get(`/api/jobs/${await exported()}/file`, call)).text).toContain('dep_1');
});

test('withdrawals have the team’s names, references and notes', async () => {
  const address = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  const withdrawal = {
    id: 'wd_1',
    status: 'completed',
    asset: 'BTC',
    chain: 'bitcoin',
    amount: '1',
    fee: null,
    address,
  };
  const { exported, send, get, call, json } = await gatewayOf([
    withdrawal,
    { ...withdrawal, id: 'wd_2', address: 'x' },
  ]);
  const put = (collection: string, id: string, value: object) =>
    send(`/api/team/${collection}/${encodeURIComponent(id)}`, {
      method: 'PUT',
      headers: { ...json, ...call },
      body: JSON.stringify({ value, revision: 0 }),
    });
  const acme = { name: 'Acme, Ltd', chain: 'bitcoin', address };
  expect((await put('recipients', recipientId(acme), acme)).status).toBe(200);
  const note = { kind: 'withdrawal', id: 'wd_2', reference: 'INV-7', note: 'Paid late' };
  expect((await put('notes', 'withdrawal:wd_2', note)).status).toBe(200);
  const id = await exported({ ...CSV, list: 'withdrawals' });
  const { text } = await get(`/api/jobs/${id}/file`, call);
  expect(text).toBe(
    [
      '\uFEFFid,status,asset,chain,amount,fee,address,tx_hash,created_at,created_at_utc,created_at_zoned,recipient,reference,note',
      `wd_1,completed,BTC,bitcoin,1,,${address},,,,,"Acme, Ltd",,`,
      'wd_2,completed,BTC,bitcoin,1,,x,,,,,,INV-7,Paid late',
      '',
    ].join('\r\n'),
  );
});

test('a file of many parts is downloaded whole', async () => {
  const items: TestRow[] = Array.from({ length: 3 }, (_, n) => testRow(n, { status: 'é'.repeat(400_000) }));
  const { exported, get, call } = await gatewayOf(items);
  const id = await exported({ ...CSV, format: 'jsonl' });
  const parts = await sql.query('select number from jobs.parts where job = $1', [id]);
  expect(parts.length).toBeGreaterThan(2);
  const { text, headers } = await get(`/api/jobs/${id}/file`, call);
  expect(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  ).toEqual(items);
  expect(headers['content-type']).toBe('application/jsonl; charset=utf-8');
});
