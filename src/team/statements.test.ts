import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Book, partId, type Statement } from '#src/api/statementContract.ts';
import type { TeamActor } from './routes.ts';
import { newActor, openRoutes, partText, rowText } from './testRoutes.ts';

let routes: Awaited<ReturnType<typeof openRoutes>>;
beforeAll(async () => {
  routes = await openRoutes();
}, 60_000);
afterAll(() => routes.sql.close());

const ask: typeof routes.ask = (...asked) => routes.ask(...asked);
const put: typeof routes.put = (...asked) => routes.put(...asked);

describe('a reconciliation', () => {
  const BOOK: Book = { name: 'Month close', since: null, statements: 0, last: null, followed: 0, ledger: null };
  const statement = (number: number, closing: string): Statement => ({
    book: 'book_1',
    number,
    closing,
    parts: 1,
    asOf: 1_790_000_000,
    after: null,
    last: { id: `dep_${number}`, created_at: 1 },
    counts: { fresh: 1, late: 0, changed: 0, givenUp: 0, carried: 3 },
    totals: [],
  });
  const close = (actor: TeamActor, number: number, closing: string, revision: number) =>
    ask(actor, 'POST', 'reconciliations/book_1/close', {
      revision,
      statement: statement(number, closing),
      ledger: null,
    });
  const upload = (actor: TeamActor, closing: string, amount?: string) =>
    ask(
      actor,
      'PUT',
      `statement-parts/${partId({ closing, part: 0 })}`,
      partText(closing, 0, [rowText('dep_1', amount)]),
    );
  const begun = async () => {
    const ana = newActor();
    expect((await put(ana, 'reconciliations/book_1', BOOK, 0)).status).toBe(200);
    return ana;
  };

  test('two who close at once: one statement, and the other learns who closed', async () => {
    const ana = await begun();
    const ben = { ...ana, who: 'Ben' };
    await Promise.all([upload(ana, 'closing_ana'), upload(ben, 'closing_ben')]);
    const answers = await Promise.all([close(ana, 1, 'closing_ana', 1), close(ben, 1, 'closing_ben', 1)]);
    const winner = answers.find(({ status }) => status === 200);
    const loser = answers.find(({ status }) => status === 409);
    expect(winner?.body).toMatchObject({ revision: 2, value: { statements: 1, followed: 3, last: { id: 'dep_1' } } });
    expect(loser?.body).toMatchObject({ error: { code: 'moved_on' }, item: { who: winner?.body['who'], revision: 2 } });
    const { data } = (await ask(ana, 'GET', 'statements?of=book_1')).body;
    expect(data).toMatchObject([{ id: 'book_1.1', who: winner?.body['who'], value: { number: 1 } }]);
  });

  test('a closing whose answer was lost may be repeated', async () => {
    const ana = await begun();
    await upload(ana, 'closing_1');
    const first = await close(ana, 1, 'closing_1', 1);
    expect(await close(ana, 1, 'closing_1', 1)).toEqual(first);
    expect((await ask(ana, 'GET', 'statements?of=book_1')).body.data).toHaveLength(1);
  });

  test('moves on by closing alone, statement after statement, with every part', async () => {
    const ana = await begun();
    expect((await close(ana, 1, 'closing_1', 1)).body.error?.message).toMatch('Parts');
    await upload(ana, 'closing_1');
    expect((await close(ana, 2, 'closing_1', 1)).body.error?.message).toMatch('number 1');
    await close(ana, 1, 'closing_1', 1);
    expect((await put(ana, 'reconciliations/book_1', { ...BOOK, name: 'Other' }, 2)).status).toBe(422);
    const named = { ...BOOK, name: 'Other', statements: 1, followed: 3, last: { id: 'dep_1', created_at: 1 } };
    expect((await put(ana, 'reconciliations/book_1', named, 2)).body).toMatchObject({ revision: 3 });
    expect((await put(newActor(), 'reconciliations/book_1', named, 0)).status).toBe(422);
    expect((await close(newActor(), 1, 'closing_1', 0)).status).toBe(409);
  });

  test('keeps every number digit for digit, and never changes what was stated', async () => {
    const ana = await begun();
    await upload(ana, 'closing_1', '7.00000000000000000001');
    const read = await ask(ana, 'GET', 'statement-parts/closing_1.0');
    expect(read.text).toContain('"received_amount":7.00000000000000000001');
    expect((await upload(ana, 'closing_1', '8')).status).toBe(409);
    const changed = partText('closing_1', 0, []).replace('"revision":0', '"revision":1');
    expect((await ask(ana, 'PUT', 'statement-parts/closing_1.0', changed)).status).toBe(422);
  });
});
