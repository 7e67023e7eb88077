import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { insertNotices } from '#src/server/notices/outbox.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { openTeam } from '#src/server/team/team.ts';
import { createPeopleWorld } from './testPeopleWorld.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
  await openTeam(database, { list: async () => ({ data: [], next: null }), find: async () => null });
});
afterAll(() => database.close());

const listOf = (body: Record<string, unknown>) => body['data'] as Record<string, unknown>[];

/** A world with a dead letter on each account and one for the whole server. */
async function createNoticeWorld() {
  const world = await createPeopleWorld(database);
  const admin = await world.firstAdmin();
  const [{ service }] = await database
    .query<{ service: string }>('select service from people.people where name = $1', ['Ada'])
    .then((rows) => rows.slice(-1) as [{ service: string }]);
  const insert = (account: string | null, subject: string) =>
    insertNotices(
      database,
      [{ channel: 'webhook' }],
      { service, account, event: 'operation.unconfirmed', subject, episode: '1' },
      1_790_000_000_000,
    );
  await insert(world.account, 'own');
  await insert(world.other, 'foreign');
  await insert(null, 'shared');
  await database.query(
    `update notices.outbox set state = 'dead', tries = 10, problem = 'The receiver responded 500.', done_at = at where service = $1`,
    [service],
  );
  await database.query(
    `insert into notices.channels (channel, address_mac, failed_at, failing_since, problem, off_at)
     values ('webhook', 'x', 5000, 5000, 'The receiver responded 410.', 5000)
     on conflict (channel) do update set off_at = 5000`,
  );
  return { ...world, admin, service };
}

test('an admin sees the channels and the undelivered notices of this account and of the server', async () => {
  const { admin } = await createNoticeWorld();
  const { status, body } = await admin.call('GET', '/api/notices');
  expect(status).toBe(200);
  expect(body['channels']).toEqual([
    {
      name: 'webhook',
      host: 'hooks.example',
      sent_at: null,
      failed_at: 5,
      failing_since: 5,
      problem: 'The receiver responded 410.',
      off_at: 5,
    },
    {
      name: 'mail',
      host: 'mail.example',
      sent_at: null,
      failed_at: null,
      failing_since: null,
      problem: null,
      off_at: null,
    },
  ]);
  expect(body['counts']).toEqual({ dead: 2, waiting: 0, held: 0, sent: 0 });
  expect(new Set(listOf(body).map(({ subject }) => subject))).toEqual(new Set(['own', 'shared']));
  expect(listOf(body)[0]).toMatchObject({
    state: 'dead',
    tries: 10,
    problem: 'The receiver responded 500.',
    next_at: null,
  });
});

test('a dead letter is sent again under its id, its channel is switched on again, and the activity log says so', async () => {
  const { admin } = await createNoticeWorld();
  const { body } = await admin.call('GET', '/api/notices');
  const id = String(listOf(body).find(({ subject }) => subject === 'own')?.['id']);
  expect((await admin.call('POST', `/api/notices/${id}/again`, {})).status).toBe(204);
  // The notice isn't a dead letter any more.
  expect((await admin.call('POST', `/api/notices/${id}/again`, {})).status).toBe(404);
  const after = await admin.call('GET', '/api/notices');
  expect(after.body['channels']).toMatchObject([{ off_at: null }, { off_at: null }]);
  expect(listOf(after.body).find((notice) => notice['id'] === id)).toMatchObject({ state: 'waiting', tries: 0 });
  const { body: activity } = await admin.call('GET', '/api/activity?limit=1');
  expect(listOf(activity)).toMatchObject([{ kind: 'notice.sent-again', who: 'Ada' }]);
});

test('an admin sees since when this account can’t be watched', async () => {
  const { admin, account, other, service } = await createNoticeWorld();
  const watch = async () => (await admin.call('GET', '/api/notices')).body['watch'];
  expect(await watch()).toBeNull();
  const note = (id: string, { problem, nextIn }: { problem: string | null; nextIn: number }) =>
    database.query(
      `insert into notices.watches (service, account, next_at, created_at, read_at, problem) values ($1, $2, $3, 1000, 7000, $4)
       on conflict (service, account) do update set next_at = excluded.next_at, problem = excluded.problem`,
      [service, id, String(Date.now() + nextIn), problem],
    );
  await note(other, { problem: 'Of another account.', nextIn: 60_000 });
  await note(account, { problem: null, nextIn: 60_000 });
  expect(await watch()).toBeNull();
  await note(account, { problem: 'No connection.', nextIn: 60_000 });
  expect(await watch()).toEqual({ failing_since: 7, problem: 'No connection.' });
  // It was removed from the settings.
  await note(account, { problem: 'No connection.', nextIn: -3_600_000 });
  expect(await watch()).toBeNull();
});

test('another account’s dead letter is not found', async () => {
  const { admin } = await createNoticeWorld();
  const [row] = await database.query<{ id: string }>(
    `select id from notices.outbox where subject = 'foreign' order by notices.outbox.at desc, id limit 1`,
  );
  expect((await admin.call('POST', `/api/notices/${row?.id}/again`, {})).status).toBe(404);
});

test('a test notice is written at most once a minute, and only for an existing channel', async () => {
  const { admin } = await createNoticeWorld();
  const send = (channel: string) => admin.call('POST', '/api/notices/test', { channel });
  expect((await send('pigeon')).status).toBe(404);
  const statuses = [(await send('webhook')).status, (await send('webhook')).status, (await send('webhook')).status];
  expect(statuses).toContain(204);
  expect(statuses).toContain(409);
  expect(listOf((await admin.call('GET', '/api/notices')).body).some(({ event }) => event === 'test')).toBe(true);
});

test('a test by e-mail goes to the address of the person who requested it', async () => {
  const { admin } = await createNoticeWorld();
  const send = () => admin.call('POST', '/api/notices/test', { channel: 'mail' });
  expect(await send()).toMatchObject({
    status: 409,
    body: { error: { code: 'no_address', message: 'You have no e-mail address here. Enter one under Your account.' } },
  });
  expect((await admin.call('GET', '/api/notices')).body['without_address']).toEqual(['Ada']);
  expect((await admin.call('PUT', '/api/email', { email: 'ada@company.example' })).status).toBe(204);
  expect((await send()).status).toBe(204);
  const { body } = await admin.call('GET', '/api/notices');
  expect(body['without_address']).toEqual([]);
  expect(listOf(body).filter(({ event }) => event === 'test')).toMatchObject([{ channel: 'mail', person: 'Ada' }]);
});

test('approvers may see and resend notices, operators and viewers may not', async () => {
  const { colleague } = await createNoticeWorld();
  const approver = await colleague('Bo', ['view', 'approve']);
  expect((await approver.call('GET', '/api/notices')).status).toBe(200);
  const operator = await colleague('Cy', ['view', 'prepare']);
  for (const [method, path] of [
    ['GET', '/api/notices'],
    ['POST', '/api/notices/test'],
    ['POST', '/api/notices/x/again'],
  ] as const) {
    const { status, body } = await operator.call(method, path, method === 'GET' ? undefined : { channel: 'webhook' });
    expect([status, body.error?.message]).toEqual([403, expect.stringContaining('Only an approver or an admin can')]);
  }
});
