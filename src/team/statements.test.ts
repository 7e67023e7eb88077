import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closedPartId } from '#src/api/statementContract.ts';
import type { TeamActor } from './routes.ts';
import { closedPeriod, newActor, openRoutes } from './testRoutes.ts';

let routes: Awaited<ReturnType<typeof openRoutes>>;
beforeAll(async () => {
  routes = await openRoutes();
}, 60_000);
afterAll(() => routes.sql.close());

const ask: typeof routes.ask = (...asked) => routes.ask(...asked);
const put: typeof routes.put = (...asked) => routes.put(...asked);

describe('closed periods', () => {
  const upload = (actor: TeamActor, closing: string, data = 'UEs=') => {
    const part = { closing, part: 0, data };
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
