import { beforeEach, describe, expect, it } from 'vitest';
import { depositAddressRequest } from '#src/lib/operations/depositAddress.ts';
import type { MemoryJournal } from './testMemoryRows.ts';
import { HOUR, SENT, answer, created, lost } from './testAnswers.ts';
import { type House, type Server, createHouse, viewIn } from './testWorld.ts';

// The journal is behind what a request brings, or another one.

let house: House;
let server: Server;
beforeEach(() => {
  house = createHouse();
  server = house.server();
});

const refused = async (): Promise<void> => Promise.reject(new Error('refused'));
const codeOf = ({ status, body }: Awaited<ReturnType<Server['put']>>) => [status, 'error' in body ? body.error : null];
const nobodyKnows = [404, expect.objectContaining({ code: 'nobody_knows' })];
const tokenIn = ({ body }: Awaited<ReturnType<Server['put']>>): string =>
  /set-back_\w+/.exec(JSON.stringify(body))?.[0] ?? '';

function backup(): MemoryJournal {
  const { entries, tombstones, shown, ...rest } = house.journal;
  return { ...rest, entries: new Map(entries), tombstones: new Map(tombstones), shown: new Set(shown) };
}

describe('is known', () => {
  it.each([
    ['another id', { id: 'jnl_0', position: 0 }, true],
    ['a higher position', { id: 'jnl_1', position: 3 }, true],
    ['this position', { id: 'jnl_1', position: 2 }, false],
    ['an earlier position', { id: 'jnl_1', position: 1 }, false],
  ])('by %s in a request', async (_what, mark, isSetBack) => {
    house.held();
    await server.put();
    const list = await server.call('GET', '', null, { marks: [mark] });
    expect(list.body).toMatchObject({ set_back: isSetBack });
  });

  it('and said once: the journal goes on from what it is known to have reached', async () => {
    await server.call('GET', '', null, { marks: [{ id: 'jnl_1', position: 40 }] });
    const since = house.journal.setBackAt;
    const again = await server.call('GET', '', null, { marks: [{ id: 'jnl_1', position: 40 }] });
    expect([again.mark?.position, house.journal.setBackAt]).toEqual([40, since]);
  });

  it('and not again by a browser that still brings the old journal, once an operator has ended it', async () => {
    const brings = { marks: [{ id: 'jnl_0', position: 9 }] };
    await server.call('GET', '', null, brings);
    house.journal.setBackAt = null;
    expect((await server.call('GET', '', null, brings)).body).toMatchObject({ set_back: false });
    expect((await server.call('GET', '', null, { marks: [{ id: 'jnl_new', position: 0 }] })).body).toMatchObject({
      set_back: true,
    });
  });

  it('not where the journal and the service are one database', async () => {
    server = house.server({ neverSetBack: true });
    const list = await server.call('GET', '', null, { marks: [{ id: 'jnl_0', position: 9 }] });
    expect(list.body).toMatchObject({ set_back: false });
  });
});

it('is known to the server that saw it further on, without any browser', async () => {
  house.held();
  await server.put();
  const before = backup();
  await server.call('DELETE', '/key-2');
  Object.assign(house.journal, before);
  expect((await server.call('GET', '')).body).toMatchObject({ set_back: true });
});

describe('a journal that was set back', () => {
  const mark = { id: 'jnl_1', position: 100 };
  const brings = { marks: [mark] };

  it('what is ready may have been sent: unconfirmed, and DELETE is no discard', async () => {
    house.connect = refused;
    await server.put();
    expect(house.recorded().state).toBe('ready');
    const read = await server.call('GET', '/key-1', null, brings);
    expect(viewIn(read).operation).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect((await server.call('DELETE', '/key-1')).status).toBe(409);
  });

  it('what is older is not sent again, for it may have been closed in what is lost, until an operator ends that', async () => {
    house.post = () => lost('network');
    await server.put();
    await server.settled();
    await house.pass(60_000);
    const read = await server.call('GET', '/key-1', null, brings);
    expect(viewIn(read)).toMatchObject({ disabled: { resend: expect.stringContaining('set back') } });
    expect(codeOf(await server.send())).toEqual([409, expect.objectContaining({ code: 'not_done' })]);
    expect(house.posts).toHaveLength(1);
    house.journal.setBackAt = null;
    await server.send();
    expect(house.posts).toHaveLength(2);
  });

  it('of a key that is not here nobody knows: not by GET, not by DELETE, and not afterwards', async () => {
    expect(codeOf(await server.call('GET', '/key-1', null, brings))).toEqual(nobodyKnows);
    expect(codeOf(await server.call('DELETE', '/key-1'))).toEqual(nobodyKnows);
    expect(codeOf(await server.call('GET', '/key-1'))).toEqual(nobodyKnows);
    expect(codeOf(await server.put())).toEqual(nobodyKnows);
    expect(house.posts).toEqual([]);
  });

  it.each<[string, object]>([
    ['that comes too late', { not_after: 0 }],
    ['that nobody confirmed', {}],
    ['that is none', { body: '{}' }],
  ])('a PUT %s may be the second copy of one that is lost: never "not sent"', async (_what, more) => {
    const before = backup();
    await server.put();
    await server.settled();
    expect(house.posts).toHaveLength(1);
    Object.assign(house.journal, before);
    const again = await server.put('key-1', more, brings);
    expect(codeOf(again)).toEqual(nobodyKnows);
    expect(again.body).not.toHaveProperty('not_sent');
    expect(codeOf(await server.call('GET', '/key-1'))).toEqual(nobodyKnows);
    expect(codeOf(await server.call('DELETE', '/key-1'))).toEqual(nobodyKnows);
    expect(house.posts).toHaveLength(1);
  });

  it('a tombstone of before stays what it was', async () => {
    await server.call('DELETE', '/key-1');
    expect((await server.call('GET', '/key-1', null, brings)).status).toBe(410);
  });

  it('every withdrawal asks, whatever its place, and no other kind', async () => {
    const reviewed = await server.review({}, brings);
    const token = tokenIn(reviewed);
    expect(reviewed.body).toMatchObject({ of: [{ source: 'set-back', id: token, count: null }] });
    expect((await server.put('key-1', depositAddressRequest(SENT))).status).toBe(201);
    expect((await server.put('key-2', { second_send_of: [token] })).status).toBe(201);
    await server.settled();
    expect(house.posts).toHaveLength(2);
  });

  it('until an operator ends it with words, after 24 h at the earliest', async () => {
    await server.call('GET', '', null, brings);
    house.sleep(24 * HOUR - 1);
    expect(await server.operations.endSetBack('Compared with the service.')).toEqual(expect.any(String));
    house.sleep(1);
    expect(await server.operations.endSetBack(' ')).toEqual(expect.any(String));
    expect(tokenIn(await server.review())).not.toBe('');
    expect(await server.operations.endSetBack('Compared with the service.')).toBeNull();
    expect((await server.review()).body).toMatchObject({ of: [] });
    expect(await server.operations.endSetBack('Again.')).toEqual(expect.any(String));
    expect((await server.call('GET', '', null, brings)).body).toMatchObject({ set_back: false });
    expect((await server.call('GET', '/key-9')).status).toBe(404);
  });

  it('one that was sent again meanwhile: a 4xx without a replay is no first answer', async () => {
    house.connect = refused;
    await server.put();
    await server.call('GET', '', null, brings);
    house.journal.setBackAt = null;
    house.connect = async () => undefined;
    house.post = () => answer(404, { error: { type: 't', code: 'not_found', message: 'No.', request_id: 'r' } });
    await server.send();
    await server.settled();
    expect(house.recorded().state).toBe('unconfirmed');
    house.post = () => answer(201, created(), { replayed: true });
    await house.pass(10_000);
    expect(house.recorded().state).toBe('succeeded');
  });
});

it('one that opens again while another one holds its place stays as it ended, with what contradicts it', async () => {
  house.post = () => answer(201, { id: 'wd_1' });
  const { get } = house;
  house.get = (target) => (target === '/v1/withdrawals/wd_1' ? lost() : get(target));
  await server.put();
  await server.settled();
  expect(house.recorded()).toMatchObject({ state: 'succeeded', result: { confirmed: [] } });
  house.held();
  await server.put('key-2', { second_send_of: ['key-1'] });
  house.get = (target) => (target === '/v1/withdrawals/wd_1' ? answer(200, created({ amount: '9' })) : get(target));
  expect((await server.call('POST', '/key-1/check')).status).toBe(200);
  expect(house.recorded()).toMatchObject({ state: 'succeeded', contradiction: { id: 'wd_1', by: 'check' } });
});
