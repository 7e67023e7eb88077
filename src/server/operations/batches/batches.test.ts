import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  BATCH_LINES_MAX,
  batchedOperationsSchema,
  batchListSchema,
  EARLIER_OF_LINE_MAX,
  type BatchRequest,
  type BatchView,
  batchViewSchema,
} from '#src/shared/contract/batchContract.ts';
import { parseJson, type AttemptResult } from '#src/shared/answers.ts';
import { withdrawalBody, withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { ACCOUNT, answer, created, envelope, operationRecord, SENT } from '#src/server/operations/testAnswers.ts';
import {
  type ApiAnswer,
  createTestWorld,
  errorOf,
  type Post,
  type Server,
  type TestWorld,
  viewInAnswer,
} from '#src/server/operations/testWorld.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { timed } from '#src/server/database/testTimedDatabase.ts';
import { endUnsentOperations } from '#src/server/operations/endUnsentOperations.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { clearJournal, insertIn } from '#src/server/operations/testSqlRows.ts';
import { WRITES_A_MINUTE } from '#src/server/operations/writeQuota.ts';
import { rightsInKeyMode } from '#src/server/people/actor.ts';
import { DEEP } from '#src/tests/depth.ts';

const ID = 'batch_0001';
const HOUR_MS = 3_600_000;

/** Valid addresses, by line. */
const ADDRESSES = [1, 2, 3, 4, 5, 6].map((n) => `0x${n.toString(16).padStart(40, '0')}`);

let world: TestWorld;
let server: Server;
let newServer: () => Server;

function accepted({ key, body }: Post): AttemptResult {
  return answer(201, created({ ...asObject(body), id: `wd_${key}` }), { date: world.date() });
}

function asObject(text: string): object {
  return v.parse(v.looseObject({}), parseJson(text));
}

function fieldsOf(line: number, more: object = {}) {
  return { ...SENT, asset: 'ETH', chain: 'ethereum', amount: '1.5', address: ADDRESSES[line - 1] ?? '', ...more };
}

function line(number: number, more: Partial<BatchRequest['lines'][number]> = {}): BatchRequest['lines'][number] {
  return {
    line: number,
    body: withdrawalBody(fieldsOf(number)),
    recipient: null,
    reference: null,
    second_send_of: [],
    earlier_lines: 0,
    ...more,
  };
}

function toReview({ line: number, body, recipient, reference }: BatchRequest['lines'][number]) {
  return { line: number, body, recipient, reference };
}

function request(lines = [line(1), line(2), line(3)], more: Partial<BatchRequest> = {}): BatchRequest {
  return {
    lines,
    file: { name: 'may.csv', text: 'address' },
    again: null,
    not_after: world.database() + 60_000,
    ...more,
  };
}

const put = (sent = request(), id = ID) => server.callBatches('PUT', `/${id}`, sent);
const view = async (id = ID): Promise<BatchView> => viewIn(await server.callBatches('GET', `/${id}`));
const start = async (more: object = {}) => {
  const { batch } = await view();
  return server.callBatches('POST', `/${ID}/start`, {
    revision: batch.revision,
    not_after: world.database() + 60_000,
    ...more,
  });
};

function viewIn({ body }: ApiAnswer): BatchView {
  return v.parse(batchViewSchema, body);
}

/** Runs time until the run is over. */
async function run(ms = 60_000): Promise<BatchView> {
  await world.pass(ms);
  return view();
}

/** Makes the service list these withdrawals. */
function listing(data: object[]): void {
  const inner = world.get;
  const list = { object: 'list', data, has_more: false, next_cursor: null };
  world.get = (target) =>
    target.startsWith('/v1/withdrawals') ? answer(200, list, { date: world.date() }) : inner(target);
}

const states = ({ lines }: BatchView) => lines.map(({ state }) => state);
const standing = ({ batch: { state, why, why_line: whyLine } }: BatchView) => [state, why, whyLine];
/** The number of operations. */
const recorded = async () => {
  const { rows, service } = server.operations.ports;
  const query = {
    service: service.name,
    account: ACCOUNT,
    states: null,
    kind: null,
    about: null,
    cursor: null,
    limit: 100,
  };
  return (await rows.list(query)).rows.length;
};
const waitingForPerson = async () =>
  v.parse(batchListSchema, (await server.callBatches('GET', '?state=paused')).body).data;
const paid = () => world.posts.map(({ key }) => key);

describe.each(DEEP ? (['memory', 'SQL'] as const) : (['memory'] as const))('with rows in %s', (kind) => {
  let database: Database;
  let sqlRows: Rows;
  /** Notices raised; the journal in memory raises none. */
  let raised: string[] = [];
  const expectRaised = (events: string[]) => expect(raised).toEqual(kind === 'SQL' ? events : []);
  beforeAll(async () => {
    if (kind === 'memory') return;
    database = await openDatabase({ directory: 'memory' });
    sqlRows = await openSqlRows(
      timed(database, () => world.database()),
      {
        ...OWN_PARTS,
        mode: 'key',
        readSessionRights: async (_tx, id) => world.sessions.get(id) ?? null,
        raise: async (_tx, { event, subject }) => void raised.push(`${event} ${subject}`),
      },
    );
  }, 60_000);
  afterAll(() => database?.close());
  beforeEach(async () => {
    world = createTestWorld();
    newServer = () => world.server(kind === 'SQL' ? { rows: sqlRows } : {});
    if (kind === 'SQL') await clearJournal(database);
    server = newServer();
    world.post = (sent) => accepted(sent);
    raised = [];
  });

  describe('recording', () => {
    test('records every line as waiting, and sends none', async () => {
      const answered = await put();
      expect(answered.status).toBe(201);
      expect(states(viewIn(answered))).toEqual(['awaiting', 'awaiting', 'awaiting']);
      expect(viewIn(answered).batch).toMatchObject({
        state: 'waiting',
        counts: { awaiting: 3 },
        totals: [{ asset: 'ETH', chain: 'ethereum', amount: '4.5', accepted: '0' }],
      });
      await world.pass(HOUR_MS);
      expect(world.posts).toEqual([]);
    });

    test('the same request again finds the batch, another one under its id is refused', async () => {
      await put();
      expect((await put()).status).toBe(200);
      expect(errorOf(await put(request([line(1)])))).toEqual([409, expect.objectContaining({ code: 'key_reused' })]);
      expect(await recorded()).toBe(3);
    });

    test('a request that comes too late records nothing', async () => {
      const late = await put(request(undefined, { not_after: world.database() - 1 }));
      expect(errorOf(late)).toEqual([422, expect.objectContaining({ code: 'too_late' })]);
      expect((await server.callBatches('GET', `/${ID}`)).status).toBe(404);
    });

    test('the same payments in another order take a reason', async () => {
      await put();
      const lines = [3, 2, 1].map((number, index) => line(index + 1, { body: withdrawalBody(fieldsOf(number)) }));
      const again = await put(request(lines), 'batch_0002');
      expect(again.body).toMatchObject({ error: { code: 'batch_again' }, same: { id: ID } });
      expect((await put(request(lines, { again: 'The second half.' }), 'batch_0002')).status).toBe(201);
    });

    test('two lines to one destination are sent if the later one states that the earlier one was seen', async () => {
      const twice = (seen: number) =>
        request([line(1), line(2, { body: withdrawalBody(fieldsOf(1, { amount: '2' })), earlier_lines: seen })]);
      const refused = await put(twice(0));
      expect(refused.body).toMatchObject({
        error: { code: 'look_alike' },
        lines: [{ line: 2, of: [{ id: `${ID}.1` }] }],
      });
      expect(await recorded()).toBe(0);
      expect((await put(twice(1))).status).toBe(201);
      await start();
      expect(standing(await run())).toEqual(['done', null, null]);
      expect(paid()).toEqual([`${ID}.1`, `${ID}.2`]);
    });

    test('a full file to one destination is one small request', async () => {
      const lines = Array.from({ length: BATCH_LINES_MAX }, (_, at) =>
        line(at + 1, { body: withdrawalBody(fieldsOf(1, { amount: `0.${at + 1}` })), earlier_lines: at }),
      );
      const sent = request(lines);
      expect(JSON.stringify(sent).length).toBeLessThan(500_000);
      expect((await put(sent)).status).toBe(201);
    });

    test('a payment of the last day must be confirmed', async () => {
      await server.put('key-1', withdrawalRequest(fieldsOf(2)));
      await world.pass(1_000);
      const refused = await put();
      expect(refused.body).toMatchObject({
        error: { code: 'look_alike' },
        lines: [{ line: 2, of: [{ id: 'key-1' }] }],
      });
      const seen = request([line(1), line(2, { second_send_of: ['key-1'] })]);
      expect((await put(seen)).status).toBe(201);
    });

    test('every fault of the lines is named', async () => {
      const bad = [line(1, { body: '{}', reference: 'A' }), line(2, { reference: 'A' })];
      expect((await put(request(bad))).body).toMatchObject({
        error: { code: 'batch_faults' },
        faults: [{ line: 1 }, { line: 2, message: 'The reference is there twice.' }],
      });
    });

    test('a reference in use is refused', async () => {
      await put(request([line(1, { reference: 'INV-1' })]));
      const second = await put(request([line(2, { reference: 'INV-1' })]), 'batch_0002');
      expect(second.body).toMatchObject({ error: { code: 'look_alike' }, lines: [{ line: 2, reference: `${ID}.1` }] });
    });

    test('another account sees nothing of it', async () => {
      await put();
      const options = { actor: { account: 'b'.repeat(32) } };
      expect((await server.callBatches('GET', `/${ID}`, undefined, options)).status).toBe(404);
      expect((await server.callBatches('POST', `/${ID}/stop`, {}, options)).status).toBe(404);
    });
  });

  describe('the list of operations', () => {
    beforeEach(async () => {
      await server.put('key-1', withdrawalRequest(fieldsOf(5)));
      await world.pass(1_000);
      await put();
      await server.put('key-2', withdrawalRequest(fieldsOf(6)));
      await world.pass(1_000);
    });

    const OTHER = { account: 'b'.repeat(32), apiKey: 'sk_b' };
    const LINES = [`${ID}.1`, `${ID}.2`, `${ID}.3`];

    /** The keys and batches of all pages, in the order of the list. */
    async function listed(query: string, options = {}): Promise<string[]> {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await server.call('GET', `?${query}${cursor}`, undefined, options);
        const page = v.parse(batchedOperationsSchema, body);
        found.push(...page.data.map((row) => ('batch' in row ? row.batch.id : row.operation.key)));
        if (page.next_cursor === null) return found;
        cursor = `&cursor=${page.next_cursor}`;
      }
    }

    test('shows a batch in place of its payments if the query asks for it', async () => {
      expect(await listed('batched=true')).toEqual(['key-2', ID, 'key-1']);
      expect((await server.call('GET', '?batched=true')).body).toMatchObject({
        data: [
          { operation: { key: 'key-2' } },
          {
            batch: {
              state: 'waiting',
              counts: { awaiting: 3 },
              totals: [{ asset: 'ETH', chain: 'ethereum', amount: '4.5', accepted: null }],
            },
          },
          {},
        ],
      });
      expect(await listed('')).toEqual(['key-2', ...LINES, 'key-1']);
      expect(await listed('state=awaiting')).toEqual(LINES);
      expect((await server.call('GET', '?batched=true&state=open')).status).toBe(422);
      expect(await listed('batched=true', { actor: OTHER })).toEqual([]);
    });

    test('is read page by page to its end, each row once', async () => {
      await put(request([line(4)]), 'batch_0002');
      for (const limit of [1, 2, 3]) {
        expect(await listed(`batched=true&limit=${limit}`)).toEqual(['batch_0002', 'key-2', ID, 'key-1']);
        expect(await listed(`limit=${limit}`)).toEqual(['batch_0002.4', 'key-2', ...LINES, 'key-1']);
      }
    });

    test('has single payments of a batch of another API key, if they are shared', async () => {
      const { rows } = server.operations.ports;
      for (const key of [`${ID}.1`, `${ID}.3`])
        await rows.write((transaction) => transaction.shareWith(key, OTHER.account));
      for (const query of ['batched=true&limit=1', 'limit=1'])
        expect(await listed(query, { actor: OTHER })).toEqual([`${ID}.1`, `${ID}.3`]);
      await rows.write((transaction) => transaction.shareWith(`${ID}.1`, ACCOUNT));
      expect(await listed('batched=true')).toEqual(['key-2', ID, 'key-1']);
    });
  });

  describe('review', () => {
    test('returns the facts about each line, and writes nothing', async () => {
      await put(request([line(1, { reference: 'INV-1' })]));
      const reviewed = await server.callBatches('POST', '/review', {
        lines: [toReview(line(1, { reference: 'INV-1' })), toReview(line(2))],
      });
      expect(reviewed.body).toMatchObject({
        same: null,
        lines: [{ line: 1, batches: [{ id: ID }], reference: `${ID}.1`, existing: null, of: [] }],
      });
      expect(await recorded()).toBe(1);
    });

    test('names withdrawals of the provider’s list that this journal does not know', async () => {
      const row = { ...created(fieldsOf(1)), id: 'wd_elsewhere', created_at: world.date() - 60 };
      const inner = world.get;
      world.get = (target) =>
        target.startsWith('/v1/withdrawals')
          ? answer(200, { object: 'list', data: [row], has_more: false, next_cursor: null }, { date: world.date() })
          : inner(target);
      const reviewed = await server.callBatches('POST', '/review', { lines: [toReview(line(1))] });
      expect(reviewed.body).toMatchObject({
        listed: 'listed',
        lines: [{ line: 1, of: [{ source: 'service', id: 'wd_elsewhere' }] }],
      });
    });
  });

  describe('a run', () => {
    beforeEach(async () => void (await put()));

    test('sends each line once, in their order, and then is done', async () => {
      await start();
      const ended = await run();
      expect(paid()).toEqual([`${ID}.1`, `${ID}.2`, `${ID}.3`]);
      expect(standing(ended)).toEqual(['done', null, null]);
      expect(ended.batch.totals).toMatchObject([{ amount: '4.5', accepted: '4.5' }]);
      expect(states(ended)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    });

    test('a batch that ends while it is viewed is shown with its lines as they ended', async () => {
      await put();
      await start();
      const { batches } = server.operations.ports.rows;
      const readLines = batches.linesOf;
      vi.spyOn(batches, 'linesOf').mockImplementationOnce(async (id) => {
        const lines = await readLines(id);
        await world.pass(60_000);
        return lines;
      });
      const seen = await view();
      expect([standing(seen), states(seen)]).toEqual([
        ['done', null, null],
        ['succeeded', 'succeeded', 'succeeded'],
      ]);
    });

    test('a second start while it runs is refused', async () => {
      await start();
      expect(errorOf(await start())).toEqual([409, expect.objectContaining({ code: 'not_done' })]);
      await run();
      expect(paid()).toHaveLength(3);
    });

    test('Stop ends it before the next line, and Continue sends the others', async () => {
      const held = world.held();
      await start();
      await world.pass(0);
      await server.callBatches('POST', `/${ID}/stop`, {});
      held.answer(accepted(world.posts[0] as Post));
      world.post = accepted;
      expect(standing(await run())).toEqual(['paused', 'person', null]);
      expect(paid()).toEqual([`${ID}.1`]);
      expectRaised([]);
      await start();
      expect(standing(await run())).toEqual(['done', null, null]);
      expect(paid()).toEqual([`${ID}.1`, `${ID}.2`, `${ID}.3`]);
    });

    test('what is withdrawn is never sent', async () => {
      await server.callBatches('POST', `/${ID}/exclude`, { line: 2 });
      await start();
      await world.pass(0);
      await server.callBatches('POST', `/${ID}/withdraw`, {});
      const ended = await run();
      expect(states(ended)).toEqual(['succeeded', 'not-sent', 'not-sent']);
      expect(standing(ended)).toEqual(['stopped', 'person', null]);
      expect(errorOf(await start())).toEqual([409, expect.objectContaining({ code: 'not_done' })]);
      expect(paid()).toEqual([`${ID}.1`]);
    });

    test('a lost answer pauses it', async () => {
      world.post = (sent) =>
        sent.key === `${ID}.2` ? ({ kind: 'no-answer', reason: 'timeout' } as AttemptResult) : accepted(sent);
      await start();
      expect(standing(await run(300_000))).toEqual(['paused', 'unconfirmed', 2]);
      expect(new Set(paid())).toEqual(new Set([`${ID}.1`, `${ID}.2`]));
      expectRaised([`batch.paused ${ID}`]);
      expect(await waitingForPerson()).toMatchObject([{ id: ID, why: 'unconfirmed', lapsed: false }]);
      await start();
      expect(await waitingForPerson()).toEqual([]);
      expect(standing(await run())).toEqual(['done', null, null]);
      expectRaised([`batch.paused ${ID}`, `batch.done ${ID}`]);
      expect(await waitingForPerson()).toEqual([]);
    });

    test.each([
      ['insufficient funds', 400, 'insufficient_funds', 'insufficient-funds'],
      ['a refused key', 401, 'authentication_error', 'key-refused'],
    ])('%s pause it', async (_name, status, code, why) => {
      world.post = () => answer(status, envelope(code), { date: world.date() });
      await start();
      expect(standing(await run())).toEqual(['paused', why, 1]);
      expect(paid()).toEqual([`${ID}.1`]);
    });

    test('three refusals in a row pause it, two do not', async () => {
      await put(
        request([4, 5, 6, 1].map((number, index) => line(index + 1, { body: withdrawalBody(fieldsOf(number)) }))),
        'batch_0002',
      );
      world.post = () => answer(422, envelope('invalid_address'), { date: world.date() });
      await server.callBatches('POST', '/batch_0002/start', { revision: 0, not_after: world.database() + 60_000 });
      await world.pass(60_000);
      expect(standing(await view('batch_0002'))).toEqual(['paused', 'refusals', 3]);
      expect(paid()).toHaveLength(3);
    });

    test('a different response pauses it', async () => {
      world.post = (sent) =>
        answer(201, created({ ...asObject(sent.body), amount: '99', id: 'wd_9' }), { date: world.date() });
      await start();
      expect(standing(await run())).toEqual(['paused', 'mismatch', 1]);
    });

    test('a payment made meanwhile to a line’s destination keeps that line from being sent', async () => {
      await server.put('key-1', withdrawalRequest(fieldsOf(2)));
      await world.pass(1_000);
      await start();
      const ended = await run();
      expect(standing(ended)).toEqual(['paused', 'paid-meanwhile', 2]);
      expect(states(ended)).toEqual(['succeeded', 'awaiting', 'succeeded']);
      expect(paid()).toEqual(['key-1', `${ID}.1`, `${ID}.3`]);
    });

    test('it ends with the session of the person who started it', async () => {
      world.sessions.set('s1', rightsInKeyMode({ journalOnly: false }));
      const options = { actor: { session: 's1' } };
      await server.callBatches('POST', `/${ID}/start`, { revision: 0, not_after: world.database() + 60_000 }, options);
      await world.pass(0);
      world.sessions.delete('s1');
      expect(standing(await run())).toEqual(['paused', 'session-ended', null]);
      expect(paid()).toEqual([`${ID}.1`]);
    });

    test('a provider that can’t be reached pauses it, and nothing was sent', async () => {
      world.connect = () => Promise.reject(new Error('refused'));
      await start();
      const ended = await run();
      expect(standing(ended)).toEqual(['paused', 'service-away', 1]);
      expect(states(ended)).toEqual(['awaiting', 'awaiting', 'awaiting']);
    });

    test('a server that stops leaves it paused, and another one can go on', async () => {
      await start();
      await world.pass(0);
      await Promise.all([server.operations.stop(), world.pass(1_000)]);
      expect(standing(await view())).toEqual(['paused', 'server-stopped', 2]);
      server = newServer();
      await start();
      expect(standing(await run())).toEqual(['done', null, null]);
      expect(paid()).toEqual([`${ID}.1`, `${ID}.2`, `${ID}.3`]);
    });

    test('a last line that stays unconfirmed ends it: nothing is left to send', async () => {
      world.post = (sent) =>
        sent.key === `${ID}.3` ? ({ kind: 'no-answer', reason: 'timeout' } as AttemptResult) : accepted(sent);
      await start();
      expect(standing(await run(300_000))).toEqual(['done', null, null]);
      expectRaised([`batch.done ${ID}`]);
      expect(await waitingForPerson()).toEqual([]);
    });

    test('Stop during its last line leaves it paused until that line is over', async () => {
      for (const number of [2, 3]) await server.callBatches('POST', `/${ID}/exclude`, { line: number });
      const held = world.held();
      await start();
      await world.pass(0);
      await server.callBatches('POST', `/${ID}/stop`, {});
      expect(standing(await view())).toEqual(['paused', 'person', null]);
      held.answer(accepted(world.posts[0] as Post));
      await world.pass(1_000);
      expect(standing(await view())).toEqual(['done', null, null]);
    });

    test.each([
      ['its page', async () => void (await view())],
      ['the list of batches', async () => void (await server.callBatches('GET', ''))],
    ])('one that was left paused with nothing to send ends once somebody opens %s', async (_, open) => {
      await start();
      await run();
      const { rows } = server.operations.ports;
      const read = () => rows.batches.batch(ID);
      await rows.write(async (transaction) => {
        const batch = await transaction.batches.batch(ID);
        const stuck = { state: 'paused' as const, why: 'unconfirmed' as const, whyLine: 3, run: null };
        if (batch) await transaction.batches.replaceBatch(batch, stuck);
      });
      expect(await read()).toMatchObject({ state: 'paused' });
      await open();
      expect(await read()).toMatchObject({ state: 'done', why: null, whyLine: null });
    });

    test('a server that dies leaves a lease that lapses, and two never send together', async () => {
      world.held();
      await start();
      await world.pass(0);
      const other = newServer();
      expect(errorOf(await start())).toEqual([409, expect.objectContaining({ code: 'not_done' })]);
      // The dead server's timers are not run.
      world.sleep(61_000);
      server = other;
      expect(standing(await view())).toEqual(['paused', 'server-stopped', null]);
      expect(await waitingForPerson()).toMatchObject([{ id: ID, lapsed: true }]);
      world.post = accepted;
      await start();
      expect(standing(await run())).toMatchObject(['done', null, null]);
      expect(paid()).toEqual([`${ID}.1`, `${ID}.2`, `${ID}.3`]);
      expect(states(await view())).toEqual(['unconfirmed', 'succeeded', 'succeeded']);
    });

    test('a server that slept past its lease sends no further line', async () => {
      const held = world.held();
      await start();
      await world.pass(0);
      world.sleep(61_000);
      held.answer(accepted(world.posts[0] as Post));
      expect(standing(await run())).toEqual(['paused', 'server-stopped', 2]);
      expect(paid()).toEqual([`${ID}.1`]);
    });

    test('it ends after four hours', async () => {
      const held = world.held();
      await start();
      await world.pass(4 * HOUR_MS);
      held.answer(accepted(world.posts[0] as Post));
      expect(standing(await run())).toEqual(['paused', 'time-over', 2]);
      expect(paid()).toEqual([`${ID}.1`]);
    });

    test('a run that was replaced sends no further line', async () => {
      const [first, second] = [world.held(), server];
      await start();
      await world.pass(0);
      world.sleep(61_000);
      server = newServer();
      const held = world.held();
      await start();
      await world.pass(0);
      first.answer(accepted(world.posts[0] as Post));
      await world.pass(2_000);
      expect(paid()).toEqual([`${ID}.1`, `${ID}.2`]);
      held.answer(accepted(world.posts[1] as Post));
      world.post = accepted;
      expect(standing(await run())).toEqual(['done', null, null]);
      expect(paid()).toEqual([`${ID}.1`, `${ID}.2`, `${ID}.3`]);
      await second.operations.stop();
    });

    test('an approver can stop it, and only an operator start it', async () => {
      const rights = { permissions: ['view', 'approve'] as const, keyRefused: false };
      world.sessions.set('s1', rights);
      const options = { actor: { session: 's1', rights: { ...rights, readOnly: false } } };
      const sent = { revision: 0, not_after: world.database() + 60_000 };
      expect((await server.callBatches('POST', `/${ID}/start`, sent, options)).status).toBe(403);
      await start();
      expect((await server.callBatches('POST', `/${ID}/stop`, {}, options)).status).toBe(200);
    });

    test('after 72 hours no line is sent any more', async () => {
      await world.pass(72 * HOUR_MS);
      expect(errorOf(await start())).toEqual([
        409,
        expect.objectContaining({ message: expect.stringContaining('72 hours') }),
      ]);
      await world.pass(60_000);
      expect(world.posts).toEqual([]);
    });

    test('a line can’t be sent on its own', async () => {
      const alone = await server.call('POST', `/${ID}.1/send`, { revision: 0, not_after: world.database() + 60_000 });
      expect(errorOf(alone)).toEqual([409, expect.objectContaining({ code: 'not_done' })]);
      expect(world.posts).toEqual([]);
    });

    test('an unresolved payment to a line’s destination keeps that line waiting, and Continue sends it afterwards', async () => {
      world.post = () => ({ kind: 'no-answer', reason: 'timeout' }) as AttemptResult;
      await server.put('key-1', withdrawalRequest(fieldsOf(2)));
      await world.pass(200_000);
      world.post = accepted;
      await start();
      expect(standing(await run())).toEqual(['paused', 'skipped', 2]);
      expect(paid().filter((key) => key !== 'key-1')).toEqual([`${ID}.1`, `${ID}.3`]);
      const [unresolved] = await server.operations.ports.rows.byKeys(['key-1']);
      const again = { revision: unresolved?.record?.revision, not_after: world.database() + 60_000 };
      world.post = () => answer(422, envelope('insufficient_funds'), { date: world.date(), replayed: true });
      expect((await server.call('POST', '/key-1/send', again)).status).toBe(200);
      await world.pass(1_000);
      world.post = accepted;
      await start();
      expect(standing(await run())).toEqual(['done', null, null]);
      expect(paid().filter((key) => key !== 'key-1')).toEqual([`${ID}.1`, `${ID}.3`, `${ID}.2`]);
    });

    test('Continue waits until the answer to the last line is written', async () => {
      const held = world.held();
      await start();
      await world.pass(0);
      await server.callBatches('POST', `/${ID}/stop`, {});
      expect(errorOf(await start())).toEqual([
        409,
        expect.objectContaining({ message: expect.stringContaining('Line 1') }),
      ]);
      held.answer(accepted(world.posts[0] as Post));
      world.post = accepted;
      await world.pass(1_000);
      await start();
      expect(standing(await run())).toEqual(['done', null, null]);
    });

    test('a run never resends a line', async () => {
      world.post = () => ({ kind: 'no-answer', reason: 'timeout' }) as AttemptResult;
      await start();
      await run(300_000);
      const posts = world.posts.length;
      const event = { type: 'send', attemptId: 'at_late', date: world.date(), who: 'Ann', person: null } as const;
      const late = await server.operations.journal.advance(server.actorOf(), `${ID}.1`, event, {
        run: 'an earlier run',
      });
      expect(late).toMatchObject({ record: null, moved: true });
      expect(world.posts).toHaveLength(posts);
    });

    test('a recipient who was paid elsewhere since the batch was recorded is not paid', async () => {
      const row = { ...created(fieldsOf(2)), id: 'wd_elsewhere', created_at: world.date() + 60 };
      listing([row]);
      await world.pass(3_600_000);
      await start();
      const ended = await run();
      expect(standing(ended)).toEqual(['paused', 'paid-meanwhile', 2]);
      expect(paid()).toEqual([`${ID}.1`, `${ID}.3`]);
    });

    test('a recipient who was paid elsewhere is not paid, though the provider’s created_at is an hour behind', async () => {
      await world.pass(60_000);
      listing([{ ...created(fieldsOf(2)), id: 'wd_elsewhere', created_at: world.date() - 3_600 }]);
      await start();
      expect(standing(await run())).toEqual(['paused', 'paid-meanwhile', 2]);
      expect(paid()).toEqual([`${ID}.1`, `${ID}.3`]);
    });

    test('a withdrawal elsewhere that was confirmed when the batch was recorded does not hold back its line', async () => {
      listing([{ ...created(fieldsOf(4)), id: 'wd_seen', created_at: world.date() - 60 }]);
      await put(request([line(4, { second_send_of: ['wd_seen'] })]), 'batch_0002');
      await server.callBatches('POST', '/batch_0002/start', { revision: 0, not_after: world.database() + 60_000 });
      await world.pass(60_000);
      expect(standing(await view('batch_0002'))).toEqual(['done', null, null]);
    });

    test('a refused API key pauses the batch before anything is sent', async () => {
      world.get = () => answer(401, envelope('authentication_error'), { date: world.date() });
      listing([]);
      await start();
      expect(standing(await run())).toEqual(['paused', 'key-refused', 1]);
      expect(world.posts).toEqual([]);
    });

    test('a server that stops while it asks for the time records that it stopped', async () => {
      const inner = world.get;
      let stopped = Promise.resolve();
      world.get = (target) => {
        if (target.startsWith('/v1/balances')) stopped = server.operations.stop();
        return inner(target);
      };
      await start();
      await world.pass(0);
      await stopped;
      expect(standing(await view())).toEqual(['paused', 'server-stopped', 1]);
      expect(world.posts).toEqual([]);
    });

    test('a batch with every line excluded is done', async () => {
      for (const number of [1, 2, 3]) await server.callBatches('POST', `/${ID}/exclude`, { line: number });
      expect(standing(await view())).toEqual(['done', null, null]);
    });

    test('lines can be excluded by somebody who made too many changes', async () => {
      for (let count = 0; count < WRITES_A_MINUTE; count += 1) await put();
      expect((await put()).status).toBe(429);
      expect((await server.callBatches('POST', `/${ID}/exclude`, { line: 1 })).status).toBe(200);
    });

    test('after a set-back, two lines to one destination don’t keep the server from writing', async () => {
      const same = { body: withdrawalBody(fieldsOf(5)) };
      await put(request([line(1, same), line(2, { ...same, second_send_of: ['batch_0002.1'] })]), 'batch_0002');
      await put(
        request([line(1, { ...same, second_send_of: ['batch_0002.1', 'batch_0002.2'] })], { again: 'x' }),
        'batch_0003',
      );
      const marks = [world.lostMark({ position: 90n, id: (await server.operations.ports.rows.facts()).id })];
      await server.callBatches('GET', `/${ID}`, undefined, { marks });
      expect(standing(await view('batch_0002'))).toEqual(['paused', 'set-back', null]);
      expect(states(await view('batch_0002'))).toEqual(['unconfirmed', 'unconfirmed']);
      expect(states(await view('batch_0003'))).toEqual(['unconfirmed']);
      expect(errorOf(await server.put('key-9', withdrawalRequest(fieldsOf(6))))).toEqual([
        404,
        expect.objectContaining({ code: 'nobody_knows' }),
      ]);
    });

    test('after a set-back nothing of it is sent', async () => {
      await server.callBatches('GET', `/${ID}`, undefined, { marks: [world.lostMark({ position: 9n })] });
      await start();
      const ended = await run();
      expect(states(ended)).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed']);
      expect(world.posts).toEqual([]);
    });

    test('another API key of the account can’t start it', async () => {
      const { batch } = await view();
      const options = { actor: { account: ACCOUNT, credential: 'another key' } };
      const sent = { revision: batch.revision, not_after: world.database() + 60_000 };
      expect(errorOf(await server.callBatches('POST', `/${ID}/start`, sent, options))).toEqual([
        409,
        expect.objectContaining({ code: 'not_done' }),
      ]);
    });
  });

  describe('an automatic retry of a line', () => {
    const askToWait = () => answer(429, envelope('rate_limited'), { date: world.date(), retryAfter: '30' });
    const key = `${ID}.1`;
    const lineNow = async () => viewInAnswer(await server.call('GET', `/${key}`));

    /** The provider asks to wait before line 1 is sent again. */
    beforeEach(async () => {
      await put();
      world.post = askToWait;
      await start();
      await world.pass(0);
      world.post = accepted;
    });

    test('is sent by its run, which then goes on', async () => {
      expect(await lineNow()).toMatchObject({ operation: { state: 'unconfirmed' }, waiting: true });
      expect(standing(await run())).toEqual(['done', null, null]);
      expect(paid()).toEqual([key, key, `${ID}.2`, `${ID}.3`]);
    });

    test.each(['stop', 'withdraw'])(
      'isn’t sent after %s: it is unconfirmed at once, and a person may resend it',
      async (act) => {
        await server.callBatches('POST', `/${ID}/${act}`, {});
        const stopped = await lineNow();
        expect(stopped).toMatchObject({ operation: { state: 'unconfirmed' }, waiting: false });
        expect([stopped.allowed.includes('resend'), stopped.disabled]).toEqual([true, {}]);
        await run();
        expect(paid()).toEqual([key]);
        const { revision } = (await lineNow()).operation;
        await server.call('POST', `/${key}/send`, { revision, not_after: world.database() + 60_000 });
        expect(await lineNow()).toMatchObject({ operation: { state: 'succeeded' } });
      },
    );

    test('of a Resend is sent, although its batch is stopped', async () => {
      await server.callBatches('POST', `/${ID}/stop`, {});
      const { revision } = (await lineNow()).operation;
      world.post = askToWait;
      await server.call('POST', `/${key}/send`, { revision, not_after: world.database() + 60_000 });
      await world.pass(0);
      world.post = accepted;
      await run();
      expect(paid()).toEqual([key, key, key]);
    });

    test('isn’t sent after Stop even by a server that reads the line as it was before', async () => {
      const before = await server.operations.journal.find(server.actorOf(), key);
      await server.callBatches('POST', `/${ID}/stop`, {});
      if (before.kind !== 'record') throw new Error('The line is recorded.');
      const { rows } = server.operations.ports;
      await rows.write(async (transaction) => {
        const record = (await transaction.byKey(key))?.record;
        const { retryAt } = before.record;
        if (record && retryAt !== undefined)
          await transaction.replace({ ...record, retryAt, revision: record.revision + 1 }, record);
      });
      await run();
      expect(paid()).toEqual([key]);
      expect(await lineNow()).toMatchObject({ operation: { state: 'unconfirmed' }, waiting: false });
    });

    test('isn’t sent once the lease of its run is over', async () => {
      world.skew.database += 61_000;
      expect(standing(await run())).toEqual(['paused', 'unconfirmed', 1]);
      expect(paid()).toEqual([key]);
    });

    test('isn’t sent once another run of its batch has begun', async () => {
      world.skew.database += 61_000;
      const { rows } = server.operations.ports;
      const now = world.database();
      await rows.write(async (transaction) => {
        const batch = await transaction.batches.batch(ID);
        const run = { id: 'another run', leaseUntil: now + 60_000, until: now + HOUR_MS };
        if (batch) await transaction.batches.replaceBatch(batch, { state: 'running', why: null, whyLine: null, run });
      });
      await run();
      expect(paid()).toEqual([key]);
    });
  });

  test('an automatic retry of a line isn’t sent after the session of whoever started the batch', async () => {
    await put();
    world.post = () => answer(429, envelope('rate_limited'), { date: world.date(), retryAfter: '30' });
    world.sessions.set('s1', rightsInKeyMode({ journalOnly: false }));
    const options = { actor: { session: 's1' } };
    await server.callBatches('POST', `/${ID}/start`, { revision: 0, not_after: world.database() + 60_000 }, options);
    await world.pass(0);
    world.sessions.delete('s1');
    expect(standing(await run())).toEqual(['paused', 'unconfirmed', 1]);
    expect(paid()).toEqual([`${ID}.1`]);
  });

  test.each(['0', '-1', '1.5', '1'])(
    'a payment under the key “batch.%s” counts like any other, though it looks like an earlier line',
    async (end) => {
      await put(request([line(2), line(3)]));
      await server.put(`${ID}.${end}`, withdrawalRequest(fieldsOf(2)));
      await world.pass(1_000);
      await start();
      expect(standing(await run())).toEqual(['paused', 'paid-meanwhile', 2]);
      expect(paid()).toEqual([`${ID}.${end}`, `${ID}.3`]);
    },
  );

  describe('a batch whose last lines end', () => {
    beforeEach(async () => void (await put()));

    test('one by one, as payments, is done', async () => {
      for (const number of [1, 2, 3]) {
        expect(standing(await view())).toEqual(['waiting', null, null]);
        await server.call('DELETE', `/${ID}.${number}`);
      }
      expect(standing(await view())).toEqual(['done', null, null]);
      expect(states(await view())).toEqual(['not-sent', 'not-sent', 'not-sent']);
    });

    const endAll = (event: Parameters<typeof endUnsentOperations>[2]['event']) =>
      server.operations.ports.rows.write(async (transaction) =>
        endUnsentOperations(transaction, await transaction.unsent(), { event, by: { person: null, who: null } }),
      );

    test.each([
      { type: 'key-changed' } as const,
      { type: 'discard', who: null, person: null, words: 'The mode changed.' } as const,
    ])('by $type is done', async (event) => {
      await endAll(event);
      expect(standing(await view())).toEqual(['done', null, null]);
    });

    test('by a new API key while it runs is done, and nothing more of it is sent', async () => {
      world.post = () => answer(429, envelope('rate_limited'), { date: world.date(), retryAfter: '30' });
      await start();
      await world.pass(0);
      await endAll({ type: 'key-changed' });
      expect(standing(await run())).toEqual(['done', null, null]);
      expect(states(await view())).toEqual(['unconfirmed', 'not-sent', 'not-sent']);
      expect(paid()).toEqual([`${ID}.1`]);
    });
  });

  describe('a line whose bytes were never written', () => {
    const notMade = async () => {
      const found = await server.operations.journal.find(server.actorOf(), `${ID}.1`);
      const attemptId = found.kind === 'record' ? (found.record.attempts.at(-1)?.id ?? '') : '';
      await server.operations.journal.advance(server.actorOf(), `${ID}.1`, { type: 'not-made', attemptId });
    };

    beforeEach(async () => {
      await put();
      world.held();
      await start();
      await world.pass(0);
    });

    test('waits again while its batch can be continued', async () => {
      await server.callBatches('POST', `/${ID}/stop`, {});
      await notMade();
      expect(states(await view())).toEqual(['awaiting', 'awaiting', 'awaiting']);
    });

    test('ends as not sent if its batch was withdrawn meanwhile', async () => {
      await server.callBatches('POST', `/${ID}/withdraw`, {});
      await notMade();
      expect(states(await view())).toEqual(['not-sent', 'not-sent', 'not-sent']);
      expect(viewInAnswer(await server.call('GET', `/${ID}.1`)).operation.ending).toMatchObject({
        by: 'discard',
        words: 'The batch was withdrawn.',
      });
    });

    test('ends as not sent if its batch is done', async () => {
      await server.callBatches('POST', `/${ID}/stop`, {});
      for (const number of [2, 3]) await server.callBatches('POST', `/${ID}/exclude`, { line: number });
      expect(standing(await view())).toEqual(['done', null, null]);
      await notMade();
      expect(states(await view())).toEqual(['not-sent', 'not-sent', 'not-sent']);
    });
  });
});

test('a line that this version can’t read pauses the run, and its batch is not done', async () => {
  world = createTestWorld();
  server = world.server();
  world.post = accepted;
  await put();
  const entry = world.journal.entries.get(`${ID}.2`);
  if (entry === undefined) throw new Error('The line is recorded.');
  const { key, service, account } = entry.record;
  const unreadable = { key, service, account, why: 'checksum' as const, firstSentAt: null, closed: null };
  world.journal.entries.set(key, { ...entry, unreadable });
  await start();
  expect(standing(await run())).toEqual(['paused', 'unreadable', null]);
  expect(paid()).toEqual([`${ID}.1`]);
  const { data } = v.parse(batchListSchema, (await server.callBatches('GET', '')).body);
  expect(data).toMatchObject([{ id: ID, totals: [] }]);
  expect((await view()).batch.totals).toEqual([]);
});

test('more earlier payments than a request can name are a fault of their line', async () => {
  world = createTestWorld();
  server = world.server();
  const now = { service: world.date(), server: world.database(), database: world.database() };
  const body = withdrawalBody(fieldsOf(1));
  await server.operations.ports.rows.write(async (transaction) => {
    for (let at = 0; at <= EARLIER_OF_LINE_MAX; at += 1)
      await insertIn(transaction, operationRecord({ key: `key-${at}`, body, state: 'closed', ended: now }));
  });
  const answers = [
    await server.callBatches('POST', '/review', { lines: [1, 2].map((number) => toReview(line(number))) }),
    await put(),
  ];
  for (const { status, body: said } of answers) {
    expect({ status, ...said }).toMatchObject({
      status: 422,
      error: { code: 'batch_faults' },
      faults: [{ line: 1, message: expect.stringContaining('Too many payments') }],
    });
  }
  expect((await server.callBatches('GET', `/${ID}`)).status).toBe(404);
});
