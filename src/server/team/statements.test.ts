import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VIEWER_RIGHTS } from '#src/server/people/testRights.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { fileBytes, wholeBytes } from '#src/shared/statement/lines.ts';
import type { TeamActor } from './items.ts';
import { ZIP_PIECE_BYTES } from './statements.ts';
import { closedPeriod, newActor, openRoutes } from './testRoutes.ts';

let routes: Awaited<ReturnType<typeof openRoutes>>;
beforeAll(async () => {
  routes = await openRoutes();
}, 60_000);
afterAll(() => routes.sql.close());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const PK = new TextEncoder().encode('PK');

/** Closes a month with this ZIP. */
function close(
  actor: TeamActor,
  number: number,
  { zip = PK, ...change }: Partial<Pick<ClosedPeriod, 'from' | 'to'>> & { zip?: Uint8Array } = {},
) {
  const file = { name: `month-${number}.zip`, bytes: zip.length, sha256: sha256(zip) };
  const period = { ...closedPeriod(number, `closing_${actor.who}_${number}`), ...change, zip: file };
  return routes.team.statements.close(actor, period, fileBytes(zip));
}

const listOf = async (actor: TeamActor) => (await routes.ask(actor, 'GET', 'closed-periods')).body.data;
const closingOf = (actor: TeamActor, number = 1) => `closing_${actor.who}_${number}`;

test('if two people close at once, one period is saved and the other person learns who closed it', async () => {
  const ana = newActor();
  const ben = { ...ana, who: 'Ben' };
  const results = await Promise.all([close(ana, 1), close(ben, 1)]);
  const winner = results.find(({ kind }) => kind === 'written');
  const loser = results.find(({ kind }) => kind === 'moved');
  expect(winner).toBeDefined();
  expect(loser).toEqual({ ...winner, kind: 'moved' });
  expect(await listOf(ana)).toMatchObject([{ id: '1', value: { number: 1 } }]);
});

test('a close whose response was lost may be repeated', async () => {
  const ana = newActor();
  const first = await close(ana, 1);
  expect(await close(ana, 1)).toEqual(first);
  expect(await listOf(ana)).toHaveLength(1);
});

test('closed periods must follow one another without a gap', async () => {
  const ana = newActor();
  expect(await close(ana, 2)).toEqual({ kind: 'moved', item: null });
  expect(await close(ana, 1, { to: 1000 })).toEqual({ kind: 'moved', item: null });
  expect(await close(ana, 1)).toMatchObject({ kind: 'written' });
  for (const from of [1999, 2001]) expect(await close(ana, 2, { from })).toEqual({ kind: 'moved', item: null });
  expect(await close(ana, 2)).toMatchObject({ kind: 'written' });
  const [row] = await routes.sql.query('select count(*)::integer as count from team.closed_files where account = $1', [
    ana.account,
  ]);
  expect(row).toEqual({ count: 2 });
});

test('only an operator can close a period; nothing is saved when others try', async () => {
  const viewer = { ...newActor(), rights: VIEWER_RIGHTS };
  await expect(close(viewer, 1)).rejects.toThrow('Only an operator can close a month.');
  expect(await listOf(viewer)).toEqual([]);
});

test('a browser can’t write a closed period, nor change or remove one', async () => {
  const ana = newActor();
  await close(ana, 1);
  for (const [method, path] of [
    ['PUT', 'closed-periods/2'],
    ['PUT', 'closed-periods/1'],
    ['POST', 'closed-periods'],
    ['DELETE', 'closed-periods/1?revision=1'],
  ] as const)
    expect((await routes.ask(ana, method, path, { value: closedPeriod(2, 'closing_2'), revision: 0 })).status).toBe(
      405,
    );
  expect(await listOf(ana)).toMatchObject([{ revision: 1, value: { to: 2000 } }]);
});

test('the ZIP is downloaded whole, under its name, on its own account only', async () => {
  const ana = newActor();
  const zip = new Uint8Array(ZIP_PIECE_BYTES * 2 + 7).map((_, at) => at * 31);
  await close(ana, 1, { zip });
  const { status, headers, bytes } = await routes.download(ana, closingOf(ana));
  expect([status, headers.get('Content-Type'), headers.get('Content-Length')]).toEqual([
    200,
    'application/zip',
    String(zip.length),
  ]);
  expect(headers.get('Content-Disposition')).toBe("attachment; filename*=UTF-8''month-1.zip");
  expect(Buffer.compare(bytes ?? PK, zip)).toBe(0);
  for (const [actor, closing] of [
    [newActor(), closingOf(ana)],
    [ana, 'closing_other'],
  ] as const)
    expect((await routes.download(actor, closing)).status).toBe(404);
});

test('the download of a stored ZIP that was altered breaks off before its end', async () => {
  const ana = newActor();
  await close(ana, 1);
  const [period] = await routes.team.statements.list(ana);
  await routes.sql.query(`update team.closed_files set bytes = 'XX' where account = $1`, [ana.account]);
  expect((await routes.download(ana, closingOf(ana))).bytes).toBeNull();
  await expect(routes.team.statements.readZip(ana, period ?? closedPeriod(1, ''))).rejects.toThrow(
    'its SHA-256 differs',
  );
  await routes.sql.query('delete from team.closed_files where account = $1', [ana.account]);
  await expect(routes.team.statements.readZip(ana, period ?? closedPeriod(1, ''))).rejects.toThrow('are missing');
});

test('the ZIPs of version 3, which were items, are the same bytes after the migration', async () => {
  const ana = newActor();
  const bytes = new Uint8Array(900_001).map((_, at) => at * 17);
  const before = { ...closedPeriod(1, 'closing_old'), parts: 3 };
  const zip = { name: 'old.zip', bytes: bytes.length, sha256: sha256(bytes) };
  await routes.ask(ana, 'GET', 'views');
  await routes.migrateFrom(3, async (sql) => {
    const put = (collection: string, id: string, value: object, position: number) =>
      sql.query(
        `insert into team.items (service, account, collection, id, value, bytes, revision, who, created_at, updated_at, deleted, position)
         values ($1, $2, $3, $4, $5, 1, 1, 'Ana', 1, 1, false, $6)`,
        [ana.service, ana.account, collection, id, JSON.stringify(value), position],
      );
    const part = (closing: string, number: number, from: number, to: number) => {
      const data = Buffer.from(bytes.subarray(from, to)).toString('base64');
      return put('closed-period-parts', `${closing}.${number}`, { closing, part: number, data }, 100 + number + to);
    };
    await put('closed-periods', '1', { ...before, zip }, 1);
    await part('closing_old', 0, 0, 450_000);
    await part('closing_old', 1, 450_000, 900_000);
    await part('closing_old', 2, 900_000, 900_001);
    // A part of a close that never finished.
    await part('closing_left', 0, 0, 10);
  });
  expect(await listOf(ana)).toMatchObject([{ id: '1', who: 'Ana', value: { ...before, zip } }]);
  expect(Buffer.compare((await routes.download(ana, 'closing_old')).bytes ?? PK, bytes)).toBe(0);
  const [period] = await routes.team.statements.list(ana);
  const read = await routes.team.statements.readZip(ana, period ?? before);
  expect(Buffer.compare(await wholeBytes(read), bytes)).toBe(0);
  expect(
    await routes.sql.query(`select id from team.items where collection = 'closed-period-parts'
      union all select closing from team.closed_files where closing = 'closing_left'`),
  ).toEqual([]);
});
