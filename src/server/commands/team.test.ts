import { afterAll, beforeAll, expect, test } from 'vitest';
import { recipientId } from '#src/shared/contract/teamContract.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import { memoryRows } from '#src/server/operations/testMemoryRows.ts';
import { emptyJournal } from '#src/server/operations/testMemoryJournal.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { sessionRowsOf } from '#src/server/people/sessionRows.ts';
import type { Team } from '#src/server/team/team.ts';
import { openTeamWithJournal } from './openTeamWithJournal.ts';
import { startBody, emptyList, fakeService, refusalIn, startGateway } from '#src/server/http/testGateway.ts';

let sql: Database;
let team: Team;
let journal = emptyJournal('jnl_1');
beforeAll(async () => {
  sql = await openDatabase({ directory: 'memory' });
  await migratePeople(sql);
  team = await openTeamWithJournal(
    sql,
    memoryRows(() => journal, Date.now),
  );
}, 60_000);
afterAll(() => sql.close());

const ACME = { name: 'Acme', chain: 'bitcoin', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
const PATH = `/api/team/recipients/${encodeURIComponent(recipientId(ACME))}`;

/** A gateway with a session under a name; the service makes deposit addresses. */
async function gatewayOf(change: Parameters<typeof startGateway>[1] = {}) {
  const service = await fakeService((req, res) => {
    if (req.method === 'GET') return emptyList(req, res);
    res.writeHead(201, { 'Content-Type': 'application/json', Date: new Date().toUTCString() });
    res.end('{"id":"da_1","address":"bc1qnew","memo":"007"}');
  });
  const gateway = await startGateway(service.url, { team, sessionRows: sessionRowsOf(sql, service.url), ...change });
  journal = gateway.journal;
  const { call } = await gateway.signIn();
  const put = (headers: Record<string, string>, value: object = ACME) =>
    gateway.send(PATH, { method: 'PUT', headers, body: JSON.stringify({ value, revision: 0 }) });
  return { ...gateway, service, call, put, good: { ...gateway.json, ...call } };
}

test('an item is saved for the session’s account only', async () => {
  const gateway = await gatewayOf();
  const { put, good, get, call } = gateway;
  expect(await put(good)).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(JSON.parse((await get('/api/team/recipients', call)).text)).toMatchObject({ data: [{ value: ACME }] });
  const { call: other } = await gateway.signIn('sk_test_2');
  expect(JSON.parse((await get('/api/team/recipients', other)).text)).toMatchObject({ data: [] });
});

test('a sign-out on another server applies to the next write', async () => {
  const { put, good, get, call } = await gatewayOf();
  expect((await get('/api/team/recipients', call)).status).toBe(200);
  await sql.query(
    `update people.sessions set ended_at = 1, ended_why = 'signed-out', key_box = null where ended_at is null`,
  );
  // This server has just read the session, so a read may still use it.
  expect((await get('/api/team/recipients', call)).status).toBe(200);
  const answer = await put(good);
  expect([answer.status, refusalIn(answer)]).toEqual([401, { kind: 'session', code: 'session_required' }]);
  expect(JSON.parse((await get('/api/team/recipients', call)).text)).toMatchObject({ data: [] });
});

test('requests without a session, or for another account, origin or content type, read and write nothing', async () => {
  const { put, good, get, call } = await gatewayOf();
  const cases: [Record<string, string>, number, string][] = [
    [{ Cookie: '' }, 401, 'session_required'],
    [{ 'X-Account': 'another' }, 409, 'account_mismatch'],
    [{ Origin: 'http://127.0.0.1:1' }, 403, 'origin_not_allowed'],
    [{ 'Content-Type': 'text/plain' }, 403, 'content_type_not_allowed'],
  ];
  for (const [headers, status, code] of cases) {
    const answer = await put({ ...good, ...headers });
    expect({ status: answer.status, code: refusalIn(answer).code }).toEqual({ status, code });
  }
  expect((await get('/api/team/recipients')).status).toBe(401);
  expect((await get(PATH, call)).status).toBe(404);
});

test('a read-only server writes nothing; an endless body is cut off', async () => {
  const readOnly = await gatewayOf({ readOnly: true });
  expect(refusalIn(await readOnly.put(readOnly.good)).code).toBe('read_only');
  const { put, good } = await gatewayOf();
  expect((await put(good, { ...ACME, note: 'x'.repeat(3_000_000) })).status).toBe(413);
});

test('a key that the service refuses can’t read team data', async () => {
  const { put, good, send, json, service, api, call } = await gatewayOf({ journalOnly: true });
  await api(call, 'PUT', '/key-1', startBody({ ...depositAddressRequest({ asset: 'BTC', chain: 'bitcoin' }) }));
  expect((await put(good)).status).toBe(200);
  service.server.removeAllListeners('request');
  service.server.on('request', (_req, res) => {
    res.writeHead(401, { 'Content-Type': 'application/json' });
    res.end('{"error":{"type":"t","code":"authentication_error","message":"No such key.","request_id":"req_1"}}');
  });
  const body = JSON.stringify({ key: 'sk_test_1' });
  const again = await send('/session', { method: 'POST', headers: json, body });
  expect(JSON.parse(again.text)).toMatchObject({ journal_only: true });
  const Cookie = again.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const answer = await send('/api/team/recipients', { headers: { ...call, Cookie } });
  expect({ status: answer.status, code: refusalIn(answer).code }).toEqual({ status: 403, code: 'key_refused' });
});

test('every deposit address in the journal is listed with its extra fields, and can be labelled', async () => {
  const { api, call, get, send, good } = await gatewayOf();
  const started = await api(
    call,
    'PUT',
    '/key-1',
    startBody({ ...depositAddressRequest({ asset: 'BTC', chain: 'bitcoin' }) }),
  );
  expect(started.status).toBe(201);
  const made = async () => JSON.parse((await get('/api/team/deposit-addresses', call)).text).data;
  await expect
    .poll(made)
    .toMatchObject([
      { id: 'key-1', asset: 'BTC', chain: 'bitcoin', address: 'bc1qnew', along: [{ name: 'memo', value: '007' }] },
    ]);
  const label = (key: string) => {
    const body = JSON.stringify({ value: { label: 'Order 7' }, revision: 0 });
    return send(`/api/team/deposit-addresses/${key}`, { method: 'PUT', headers: good, body });
  };
  expect((await label('key-1')).status).toBe(200);
  expect((await label('key-2')).status).toBe(404);
  expect(await made()).toMatchObject([{ label: 'Order 7', revision: 1 }]);
});
