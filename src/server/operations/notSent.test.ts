import { beforeEach, describe, expect, it } from 'vitest';
import type { AttemptResult } from '#src/shared/answers.ts';
import { chargeRequest } from '#src/shared/operations/charge.ts';
import { MOST_CHECKED } from './checking.ts';
import { HOUR, START, T0, answer, created, envelope, lost, listBody } from './testAnswers.ts';
import { type TestWorld, type Server, createTestWorld, viewInAnswer } from './testWorld.ts';

// Only an operation missing from a complete list after 26 h may be confirmed as not sent.

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
  world.post = () => lost();
});

/** Older than a day before the first send. */
const OLD = T0 - 90_000;
const old = (n: number) => created({ id: `wd_old${n}`, address: 'elsewhere', created_at: OLD - n });
const isList = (target: string): boolean => target.startsWith('/v1/withdrawals?');
const cursorIn = (target: string): string | null => new URL(`http://world${target}`).searchParams.get('starting_after');
const listReads = () => world.reads.filter(isList);

const empties = (count: number, from = 0) => Array.from({ length: count }, (_, n) => listBody([], `e${from + n}`));

/** Makes the service's list return these pages, each for the cursor of the page before. */
function lists(...pages: object[]): void {
  const { get } = world;
  const cursors = [null, ...pages.map((each) => ('next_cursor' in each ? each.next_cursor : null))];
  world.get = (target) => {
    if (!isList(target)) return get(target);
    const index = cursors.indexOf(cursorIn(target));
    return answer(200, pages[index] ?? {}, { date: world.date(), requestId: `req_list${index}` });
  };
}

/** Creates an unanswered operation of this age, and sets the pages of the service's list. */
async function expired(pages: object[], hours = 26): Promise<void> {
  await server.put();
  await server.settled();
  world.sleep(hours * HOUR);
  lists(...pages);
}

async function expectNotSent(): Promise<void> {
  expect((await server.end('not-sent')).status).toBe(200);
  expect(world.recorded()).toMatchObject({
    state: 'not-sent',
    ending: { by: 'absence', words: 'Said so.', who: 'Ann' },
  });
}

async function expectStays(more: object = {}): Promise<void> {
  const before = world.recorded();
  expect(await server.end('not-sent', 'key-1', more)).toMatchObject({
    status: 409,
    body: { error: { code: 'not_done' } },
  });
  expect(world.recorded()).toBe(before);
}

describe('an operation is confirmed as not sent', () => {
  it('after 26 h, if it is absent from a list of one page and a reason is given; then it may be sent again', async () => {
    await expired([listBody([old(1)])]);
    expect(viewInAnswer(await server.call('GET', '/key-1')).allowed).toEqual([
      'check',
      'resend',
      'confirm-not-sent',
      'close',
    ]);
    await expectNotSent();
    expect(world.recorded()).toMatchObject({ ended: { service: T0 + 26 * 3_600 }, ending: { requestId: 'req_list0' } });
    expect((await server.put('key-2')).status).toBe(201);
  });

  it('if it is absent from a list with up to 20 empty pages in a row', async () => {
    const other = listBody([created({ id: 'wd_2', address: 'elsewhere' })], 'c1');
    await expired([...empties(20), other, ...empties(20, 20), listBody([])]);
    await expectNotSent();
    expect(listReads()).toHaveLength(42);
  });

  it('if the list is empty and complete', async () => {
    await expired([listBody([])]);
    await expectNotSent();
  });

  it('after reading back to a day before the first send, however many pages that takes', async () => {
    const recent = (n: number) =>
      created({ id: `wd_${n}`, address: 'elsewhere', created_at: T0 + 90_000 - n * 15_000 });
    const pages = Array.from({ length: 12 }, (_, n) => listBody([recent(n)], `c${n}`));
    await expired([...pages, listBody([old(1)], 'never'), listBody([created()])]);
    await expectNotSent();
    expect(listReads().map(cursorIn)).toEqual([null, ...pages.map((_, n) => `c${n}`)]);
  });

  it('if the only similar row belongs to another operation', async () => {
    world.post = () => answer(201, created());
    await server.put('key-0');
    await server.settled();
    world.post = () => lost();
    await server.put('key-1', { second_send_of: ['key-0'] });
    await server.settled();
    world.sleep(26 * HOUR);
    lists(listBody([created(), old(1)]));
    await expectNotSent();
  });
});

describe('an operation stays unconfirmed', () => {
  it.each(['service', 'server', 'database'] as const)('a second before 26 h by the %s’s clock', async (clock) => {
    await expired([listBody([old(1)])]);
    world.skew[clock] -= clock === 'service' ? 1 : 1_000;
    await expectStays();
    world.skew[clock] = 0;
    await expectNotSent();
  });

  it('a second before 26 h after the last send', async () => {
    await server.put();
    await server.settled();
    world.sleep(20 * HOUR);
    await server.send();
    await server.settled();
    world.sleep(26 * HOUR - 1_000);
    lists(listBody([old(1)]));
    await expectStays();
    expect(viewInAnswer(await server.call('GET', '/key-1')).absenceProvesFrom).toBe(T0 + 46 * 3_600);
  });

  it('without a reason', async () => {
    await expired([listBody([old(1)])]);
    await expectStays({ reason: ' ' });
  });

  it.each<[string, unknown]>([
    ['the withdrawal', created()],
    ['one made an hour before it was sent, by the service’s other clock', created({ created_at: T0 - 3_600 })],
    ['one made long before', created({ created_at: OLD - 1 })],
    ['one of the same amount written otherwise', created({ amount: '0.75' })],
    ['one without an address', created({ address: undefined })],
    ['one without an amount', created({ amount: null })],
    ['one with an amount as a number', created({ amount: 0.75 })],
    ['one without a time', created({ created_at: null })],
    ['one with an address that is no text', created({ address: ['x'] })],
    ['one with a chain that is no text', created({ chain: 7 })],
    ['nothing but an id', { id: 'wd_1' }],
    ['something without an id', { ...created(), id: undefined }],
    ['something that is no object', 'wd_1'],
  ])('if the list contains %s', async (_what, row) => {
    await expired([listBody([row])]);
    await expectStays();
  });

  it.each<[string, object[]]>([
    ['the same cursor twice', [listBody([created({ id: 'wd_2', address: 'x' })], 'c1'), listBody([], 'c1')]],
    ['the withdrawal, after empty pages', [...empties(20), listBody([created()])]],
    ['more than 20 empty pages in a row', [...empties(21), listBody([])]],
    [
      'the same rows twice, then its end',
      [listBody([created({ id: 'wd_2', address: 'x' })], 'c1'), listBody([created({ id: 'wd_2', address: 'x' })])],
    ],
    ['more, but no cursor', [listBody([], null, { has_more: true })]],
    ['no word whether there is more', [listBody([], null, { has_more: undefined })]],
    ['oldest rows first', [listBody([old(2), old(1)], 'c1'), listBody([created()], 'c1')]],
    ['rows in no order', [listBody([old(1), created({ id: 'wd_2', address: 'x' }), old(2)], 'c1'), listBody([], 'c1')]],
    [
      'back by less than a day',
      [listBody([created({ id: 'wd_2', address: 'x', created_at: T0 - 86_400 })], 'c1'), listBody([], 'c1')],
    ],
  ])('if the list is incomplete: %s', async (_what, pages) => {
    await expired(pages);
    await expectStays();
  });

  it('if the list doesn’t reach back to a day before the first send by every clock', async () => {
    world.skew.database = -10 * HOUR;
    await expired([listBody([old(1)], 'c1'), listBody([created()])]);
    await expectStays();
    expect(listReads()).toHaveLength(2);
  });

  it.each<[string, (target: string) => AttemptResult | null]>([
    ['no such list', () => answer(404, {})],
    ['a list that cannot be read', () => answer(200, '<html>')],
    ['a list cut short', () => answer(200, listBody([]), { complete: false })],
    ['a second page that is missing', (target) => (cursorIn(target) === null ? null : answer(404, {}))],
    ['no time', () => answer(200, listBody([]), { date: null })],
    ['no connection', () => lost('network')],
  ])('%s', async (_what, come) => {
    await expired([listBody([created({ id: 'wd_2', address: 'x' })], 'c1'), listBody([])]);
    const { get } = world;
    world.get = (target) => (isList(target) ? (come(target) ?? get(target)) : get(target));
    await expectStays();
  });

  it.each<[string, AttemptResult]>([
    ['an id', answer(201, created({ amount: '9' }))],
    ['JSON that was cut', answer(201, created(), { complete: false, retryAfter: '99' })],
  ])('once a 2xx carried %s', async (_what, came) => {
    world.post = () => came;
    await expired([listBody([old(1)])]);
    await expectStays();
    expect(viewInAnswer(await server.call('GET', '/key-1')).allowed).not.toContain('confirm-not-sent');
  });

  it('if it moved on while the list was read', async () => {
    await expired([listBody([old(1)])]);
    const { get } = world;
    world.get = async (target) => {
      if (isList(target)) await world.server().end('close');
      return get(target);
    };
    expect(await server.end('not-sent')).toMatchObject({ status: 409, body: { error: { code: 'moved_on' } } });
    expect(world.recorded().state).toBe('closed');
  });

  it('if its kind isn’t listed by the service', async () => {
    await server.put('key-1', chargeRequest('{}'));
    await server.settled();
    world.sleep(26 * HOUR);
    lists(listBody([old(1)]));
    await expectStays();
  });
});

describe('a check', () => {
  it('shows look-alikes, concludes nothing from them, and sends nothing', async () => {
    await expired([listBody([created({ id: 'wd_7' }), old(1)])], 1);
    const checked = await server.call('POST', '/key-1/check');
    expect(viewInAnswer(checked)).toMatchObject({
      operation: { state: 'unconfirmed' },
      checks: [
        { found: 'nothing', lookAlikes: [{ id: 'wd_7' }], complete: true, date: T0 + 3_600, at: START.server + HOUR },
      ],
      serviceNow: T0 + 3_600,
    });
    expect(world.posts).toHaveLength(1);
  });

  it('finds look-alikes after empty pages', async () => {
    await expired([...empties(20), listBody([created({ id: 'wd_7' }), old(1)])], 1);
    expect(viewInAnswer(await server.call('POST', '/key-1/check')).checks).toMatchObject([
      { lookAlikes: [{ id: 'wd_7' }], complete: true },
    ]);
  });

  it('tells a list that the service doesn’t offer from an unreadable one', async () => {
    await expired([], 1);
    world.get = () => answer(404, envelope('not_found'));
    expect(viewInAnswer(await server.call('POST', '/key-1/check')).checks).toMatchObject([
      { found: 'nothing', lookAlikes: null, complete: false },
    ]);
    for (const come of [lost('network'), answer(404, '<html>'), answer(404, {}), answer(405, envelope('not_found'))]) {
      world.get = () => come;
      const { checks } = viewInAnswer(await server.call('POST', '/key-1/check'));
      expect(checks.at(-1)).toMatchObject({ found: 'unreadable', lookAlikes: null });
    }
  });

  it('reads once for several requests at the same time', async () => {
    await expired([listBody([])], 1);
    await Promise.all([server.call('POST', '/key-1/check'), server.call('POST', '/key-1/check')]);
    expect(listReads()).toHaveLength(1);
    expect(viewInAnswer(await server.call('GET', '/key-1')).checks).toHaveLength(1);
  });

  it('is remembered only for the operations checked last', async () => {
    await expired([listBody([])], 1);
    const { checking } = server.operations;
    const actor = { ...server.actorOf(), apiKey: 'sk_a' };
    const check = (key: string) => checking.check(actor, { ...world.recorded(), key });
    await check('first');
    await check('second');
    for (let n = 3; n <= MOST_CHECKED; n += 1) await check(`key-${n}`);
    await check('first');
    await check('one more');
    expect(checking.notesOf('first')).toHaveLength(2);
    expect(checking.notesOf('second')).toEqual([]);
    expect(checking.notesOf('one more')).toHaveLength(1);
  });

  it('reads fields missing from the answer by id, and accepts at most 64 kB', async () => {
    world.post = () => answer(201, { id: 'wd_1' });
    let object = created({ more: 'x'.repeat(70_000) });
    const { get } = world;
    world.get = (target) => (target === '/v1/withdrawals/wd_1' ? answer(200, object) : get(target));
    await server.put();
    await server.settled();
    expect(world.recorded()).toMatchObject({ state: 'succeeded', result: { by: 'answer', confirmed: [] } });
    object = created({ status: 'completed' });
    await server.call('POST', '/key-1/check');
    expect(world.recorded()).toMatchObject({ result: { by: 'check', confirmed: { length: 4 } } });
    expect(world.posts).toHaveLength(1);
  });
});
