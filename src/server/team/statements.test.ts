import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ITEMS_MAX } from '#src/shared/contract/teamContract.ts';
import { closedPartId } from '#src/shared/contract/statementContract.ts';
import type { TeamActor } from './items.ts';
import { closedPeriod, newActor, openRoutes } from './testRoutes.ts';

let routes: Awaited<ReturnType<typeof openRoutes>>;
beforeAll(async () => {
  routes = await openRoutes();
}, 60_000);
afterAll(() => routes.sql.close());

const ask: typeof routes.ask = (...asked) => routes.ask(...asked);
const put: typeof routes.put = (...asked) => routes.put(...asked);

describe('closed periods', () => {
  const upload = (actor: TeamActor, closing: string, data = 'UEs=', number = 0) => {
    const part = { closing, part: number, data };
    return put(actor, `closed-period-parts/${closedPartId(part)}`, part, 0);
  };
  const close = (actor: TeamActor, number: number, closing: string, change: object = {}) =>
    put(actor, `closed-periods/${number}`, { ...closedPeriod(number, closing), ...change }, 0);

  test('two who close at once: one period, and the other learns who closed', async () => {
    const ana = newActor();
    const ben = { ...ana, who: 'Ben' };
    await Promise.all([upload(ana, 'closing_ana'), upload(ben, 'closing_ben')]);
    const answers = await Promise.all([close(ana, 1, 'closing_ana'), close(ben, 1, 'closing_ben')]);
    const winner = answers.find(({ status }) => status === 200);
    const loser = answers.find(({ status }) => status === 409);
    expect(loser?.body).toMatchObject({ error: { code: 'moved_on' }, item: { who: winner?.body['who'], revision: 1 } });
    const { data } = (await ask(ana, 'GET', 'closed-periods')).body;
    expect(data).toMatchObject([{ id: '1', who: winner?.body['who'], value: { number: 1 } }]);
  });

  test('a close whose answer was lost may be repeated', async () => {
    const ana = newActor();
    await upload(ana, 'closing_1');
    const first = await close(ana, 1, 'closing_1');
    expect(await close(ana, 1, 'closing_1')).toEqual(first);
    expect((await ask(ana, 'GET', 'closed-periods')).body.data).toHaveLength(1);
  });

  test('one follows the other without a gap, each with all of its parts', async () => {
    const ana = newActor();
    expect((await close(ana, 1, 'closing_1')).body.error?.message).toMatch('Parts');
    await upload(ana, 'closing_1');
    expect((await close(ana, 2, 'closing_1')).body.error?.message).toMatch('Period 1 is not closed');
    expect((await close(ana, 1, 'closing_1', { to: 1000 })).body.error?.message).toMatch('ends after it begins');
    expect((await close(ana, 1, 'closing_1')).status).toBe(200);
    await upload(ana, 'closing_2');
    for (const from of [1999, 2001])
      expect((await close(ana, 2, 'closing_2', { from })).body.error?.message).toMatch('where the one before ended');
    expect((await close(ana, 2, 'closing_2')).status).toBe(200);
    const other = { ...closedPeriod(3, 'closing_2'), from: 3000 };
    expect((await put(ana, 'closed-periods/2', other, 0)).status).toBe(409);
  });

  describe('parts that nobody needs', () => {
    const DAY = 86_400;
    const parts = async ({ account }: TeamActor, closing = '') => {
      const [row] = await routes.sql.query<{ count: string }>(
        `select count(*)::text as count from team.items
         where account = $1 and collection = 'closed-period-parts' and starts_with(id, $2)`,
        [account, closing],
      );
      return Number(row?.count);
    };
    /** Parts as requests would leave them: `each` of so many closings, the first of them the oldest. */
    const junk = async (actor: TeamActor, closings: number, each: number) => {
      await upload(actor, 'junk_first');
      await routes.sql.query(
        `insert into team.items select service, account, collection, 'closing_' || c || '.' || p, value, bytes, 1, who,
           created_at, updated_at, false, 1000 + c * $3 + p
         from team.items, generate_series(1, $2) c, generate_series(0, $3 - 1) p where account = $1`,
        [actor.account, closings, each],
      );
    };
    /** The same, known as open closings. */
    const openJunk = async (actor: TeamActor, closings: number, each: number) => {
      await junk(actor, closings, each);
      await routes.sql.query(
        `insert into team.closings select service, account, 'closing_' || c, $3, written_at - 1000 + c
         from team.closings, generate_series(1, $2) c where account = $1`,
        [actor.account, closings, each],
      );
    };
    const realClose = async (actor: TeamActor, number = 1, closing = 'closing_real') => {
      for (const part of [0, 1, 2]) expect((await upload(actor, closing, 'UEs=', part)).status).toBe(200);
      return (await close(actor, number, closing, { parts: 3 })).status;
    };

    test('10,000 of them from before do not keep a month from being closed', async () => {
      const ana = newActor();
      await junk(ana, 1, ITEMS_MAX);
      expect(await realClose(ana)).toBe(200);
    });

    test('10,000 of them of open closings give way, those written longest ago first', async () => {
      const ana = newActor();
      await openJunk(ana, 100, ITEMS_MAX / 100);
      expect(await realClose(ana)).toBe(200);
      expect(await parts(ana)).toBeLessThanOrEqual(ITEMS_MAX + 3);
      expect(await parts(ana, 'closing_1.')).toBe(0);
      expect(await parts(ana, 'closing_100.')).toBe(ITEMS_MAX / 100);
    });

    test('a closing that is being uploaded outlasts all closings that can be begun in a minute', async () => {
      const ana = newActor();
      await openJunk(ana, 300, 1);
      expect((await upload(ana, 'closing_real')).status).toBe(200);
      for (let count = 0; count < 58; count += 1) expect((await upload(ana, `closing_new${count}`)).status).toBe(200);
      routes.state.mono += 60_000;
      expect((await upload(ana, 'closing_real', 'UEs=', 1)).status).toBe(200);
      expect((await close(ana, 1, 'closing_real', { parts: 2 })).status).toBe(200);
    });

    test('come in order, to a closing that is open', async () => {
      const ana = newActor();
      const refused = { status: 422, body: { error: { code: 'invalid_request_error' } } };
      expect(await upload(ana, 'closing_1', 'UEs=', 7)).toMatchObject(refused);
      await upload(ana, 'closing_1');
      expect(await upload(ana, 'closing_1', 'UEs=', 2)).toMatchObject(refused);
      expect((await upload(ana, 'closing_1', 'UEs=', 1)).status).toBe(200);
      // Its answer was lost.
      expect((await upload(ana, 'closing_1', 'UEs=', 1)).status).toBe(200);
      expect((await close(ana, 1, 'closing_1', { parts: 2 })).status).toBe(200);
      expect(await upload(ana, 'closing_1', 'UEs=', 2)).toMatchObject(refused);
      expect(await close(ana, 2, 'closing_1', { parts: 2 })).toMatchObject(refused);
    });

    test('are removed a day after the last of their closing; those of closed periods stay', async () => {
      const ana = newActor();
      expect(await realClose(ana)).toBe(200);
      await upload(ana, 'closing_left');
      await upload(ana, 'closing_going_on');
      await routes.sql.query(
        `update team.closings set written_at = written_at - $2 where account = $1 and closing = 'closing_left'`,
        [ana.account, DAY + 1],
      );
      await upload(ana, 'closing_going_on', 'UEs=', 1);
      expect([await parts(ana, 'closing_left'), await parts(ana, 'closing_going_on')]).toEqual([0, 2]);
      expect(await parts(ana, 'closing_real')).toBe(3);
      // Begun anew under the same name.
      expect(await realClose(ana, 2, 'closing_left')).toBe(200);
    });

    test('of another account stay where they are', async () => {
      const [ana, ben] = [newActor(), newActor()];
      await upload(ben, 'closing_left');
      await routes.sql.query('update team.closings set written_at = 0 where account = $1', [ben.account]);
      await openJunk(ana, 300, 1);
      expect(await realClose(ana)).toBe(200);
      expect(await parts(ben)).toBe(1);
    });
  });

  test('what was closed is never changed, and never removed', async () => {
    const ana = newActor();
    await upload(ana, 'closing_1');
    expect((await upload(ana, 'closing_1', 'AAAA')).status).toBe(409);
    expect(
      (await put(ana, 'closed-period-parts/closing_1.0', { closing: 'closing_1', part: 0, data: 'AAAA' }, 1)).status,
    ).toBe(422);
    await close(ana, 1, 'closing_1');
    expect((await put(ana, 'closed-periods/1', { ...closedPeriod(1, 'closing_1'), to: 3000 }, 1)).status).toBe(422);
    for (const path of ['closed-periods/1', 'closed-period-parts/closing_1.0'])
      expect((await ask(ana, 'DELETE', `${path}?revision=1`)).status).toBe(405);
    expect((await ask(ana, 'GET', 'closed-period-parts/closing_1.0')).text).toContain('"data":"UEs="');
    expect((await upload(ana, 'closing_2', 'no base64!')).status).toBe(422);
  });
});
