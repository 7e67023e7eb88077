import { beforeEach, describe, expect, it } from 'vitest';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import { createMarks } from './marks.ts';
import { memoryRows } from './testMemoryRows.ts';
import { type MemoryJournal, copyOf } from './testMemoryJournal.ts';
import { HOUR, SENT, SERVICE, answer, created, envelope, lost } from './testAnswers.ts';
import { type TestWorld, type Server, createTestWorld, memoryMarkStore, quiet, viewInAnswer } from './testWorld.ts';

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
});

const refused = async (): Promise<void> => Promise.reject(new Error('refused'));
const codeOf = ({ status, body }: Awaited<ReturnType<Server['put']>>) => [status, 'error' in body ? body.error : null];
const nobodyKnows = [404, expect.objectContaining({ code: 'nobody_knows' })];
const tokenIn = ({ body }: Awaited<ReturnType<Server['put']>>): string =>
  /set-back_\w+/.exec(JSON.stringify(body))?.[0] ?? '';

/** The journal's mark in a response, as a browser sends it back. */
const seen = async (): Promise<string> => (await server.call('GET', '')).mark ?? '';
const isSetBack = async (...marks: string[]): Promise<unknown> => {
  const { body } = await server.call('GET', '', null, { marks });
  return 'set_back' in body && body.set_back;
};
const endSetBack = (): void => void Object.assign(world.journal, { setBackAt: null, setBackPosition: null });
/** Replaces the database with an older copy, and starts a server without memory of the lost part. */
function restore(copy: MemoryJournal): void {
  world.journal = copyOf(copy);
  world.lastMark = memoryMarkStore();
  server = world.server();
}

describe('a set-back is noticed', () => {
  it('by a mark of a lost write, although others have written past its position', async () => {
    const copy = copyOf(world.journal);
    await server.put('key-ann');
    await server.settled();
    const mark = await seen();
    restore(copy);
    for (const key of ['key-1', 'key-2', 'key-3', 'key-4']) await server.call('DELETE', `/${key}`);
    const position = world.marks.read(mark)?.position ?? 0n;
    expect(world.journal.position).toBeGreaterThanOrEqual(position);
    expect(await isSetBack()).toBe(false);
    expect(codeOf(await server.call('GET', '/key-ann', null, { marks: [mark] }))).toEqual(nobodyKnows);
    expect(codeOf(await server.call('DELETE', '/key-ann'))).toEqual(nobodyKnows);
    expect(tokenIn(await server.review())).not.toBe('');
  });

  it('by the same position in another history', async () => {
    const copy = copyOf(world.journal);
    await server.call('DELETE', '/key-1');
    const mark = await seen();
    restore(copy);
    await server.call('DELETE', '/key-1');
    expect(world.marks.read(mark)?.position).toBe(world.journal.position);
    expect(await isSetBack(mark)).toBe(true);
  });

  it('by a mark of another journal', async () => {
    expect(await isSetBack(world.lostMark({ id: 'jnl_0', position: 0n }))).toBe(true);
  });

  it('by a server that wrote later marks, without any browser', async () => {
    world.held();
    await server.put();
    const before = copyOf(world.journal);
    await server.call('DELETE', '/key-2');
    Object.assign(world.journal, before);
    expect(await isSetBack()).toBe(true);
  });

  it('at the start, by the mark on the server’s disk', async () => {
    const copy = copyOf(world.journal);
    await server.call('DELETE', '/key-1');
    world.journal = copyOf(copy);
    const restarted = world.server();
    await restarted.operations.history.compareAtStart();
    expect(world.journal.setBackAt).not.toBeNull();
  });

  it('by the mark stored at the first start, although this server wrote nothing', async () => {
    const copy = copyOf(world.journal);
    await server.call('DELETE', '/key-1');
    world.lastMark = memoryMarkStore();
    await world.server().operations.history.compareAtStart();
    world.journal = copyOf(copy);
    await world.server().operations.history.compareAtStart();
    expect(world.journal.setBackAt).not.toBeNull();
  });

  it('at the start, by a mark of another server that this one has read', async () => {
    const copy = copyOf(world.journal);
    const other = world.server({ lastMark: memoryMarkStore() });
    await seen();
    await other.call('DELETE', '/key-1');
    await seen();
    world.journal = copyOf(copy);
    await world.server().operations.history.compareAtStart();
    expect(world.journal.setBackAt).not.toBeNull();
  });

  it('and a key called unsent between the restore and then is no longer called unsent', async () => {
    const copy = copyOf(world.journal);
    await server.put('key-ann');
    await server.settled();
    const mark = await seen();
    restore(copy);
    expect(await server.call('DELETE', '/key-ann')).toMatchObject({ status: 200 });
    expect(await isSetBack(mark)).toBe(true);
    expect(codeOf(await server.call('GET', '/key-ann'))).toEqual(nobodyKnows);
  });

  it('by a write of its own, before a missing record is taken as proof', async () => {
    const copy = copyOf(world.journal);
    await server.call('DELETE', '/key-1');
    Object.assign(world.journal, copy);
    const found = await server.operations.journal.writeTombstone(server.actorOf(), 'key-2', 'discarded');
    expect(found).toEqual({ kind: 'spent' });
  });

  it('only in a history that lacks the mark', async () => {
    const first = await seen();
    await server.call('DELETE', '/key-1');
    expect(await isSetBack(first, await seen())).toBe(false);
  });

  it('once per lost history, also after an operator has ended the set-back', async () => {
    const [lost, further] = [world.lostMark(), world.lostMark({ position: 9n })];
    expect(await isSetBack(lost)).toBe(true);
    const since = world.journal.setBackAt;
    world.sleep(1_000);
    await server.call('GET', '', null, { marks: [lost, further] });
    expect(world.journal.setBackAt).toBe(since);
    endSetBack();
    expect(await isSetBack(lost, further)).toBe(false);
    expect(await isSetBack(world.lostMark({ position: 2n }))).toBe(true);
  });

  it('not where the journal and the service are one database', async () => {
    server = world.server({ neverSetBack: true });
    expect(await isSetBack(world.lostMark())).toBe(false);
  });
});

describe('a mark that this server did not sign', () => {
  const forged: [string, (mark: string) => string][] = [
    ['of the version before', () => 'jnl_1 40'],
    ['of another journal, made up', () => 'x 1'],
    ['with a position far ahead', () => 'jnl_1 999999999999999'],
    ['with another signature', (mark) => mark.replace(/.{22}$/, 'A'.repeat(22))],
    ['with another position', (mark) => mark.replace(' 1 ', ' 999 ')],
    ['with another journal', (mark) => mark.replace(/^\S+/, 'jnl_2')],
    ['with another nonce', (mark) => mark.replace(/ n\d+ /, ' n77 ')],
    ['signed with another secret', () => createMarks(new Uint8Array(32).fill(1), SERVICE).write(LOST)],
    ['signed for another service', () => createMarks(new Uint8Array(32), 'https://b.test').write(LOST)],
    ['with a position that no database holds', () => world.marks.write({ ...LOST, position: 10n ** 18n * 99n })],
  ];
  const LOST = { id: 'jnl_1', position: 1n, nonce: 'lost' };

  it.each(forged)('%s writes nothing and sets nothing back', async (_what, forge) => {
    await server.call('DELETE', '/key-1');
    const mark = forge(await seen());
    const before = copyOf(world.journal);
    expect(await isSetBack(mark)).toBe(false);
    expect(world.journal).toEqual(before);
    // A real set-back is still noticed.
    expect(await isSetBack(world.lostMark())).toBe(true);
  });

  it('is logged once', async () => {
    for (const mark of ['jnl_1 40', 'x 1 n0 AAAAAAAAAAAAAAAAAAAAAA', 'x 2 n0 AAAAAAAAAAAAAAAAAAAAAA'])
      await isSetBack(mark);
    expect(world.warnings).toHaveLength(1);
  });
});

it('the server keeps the later of two marks, whichever commit is reported first', async () => {
  const rows = memoryRows(() => world.journal, world.database);
  const responses: (() => void)[] = [];
  server = world.server({
    rows: {
      ...rows,
      write: async (work) => {
        const value = await rows.write(work);
        await new Promise<void>((resolve) => responses.push(resolve));
        return value;
      },
    },
  });
  const writes = ['key-1', 'key-2'].map((key) =>
    server.operations.journal.writeTombstone(server.actorOf(), key, 'discarded'),
  );
  await quiet();
  for (const respond of responses.toReversed()) {
    respond();
    await quiet();
  }
  await Promise.all(writes);
  expect(world.marks.read(world.lastMark.read()[0] ?? '')?.position).toBe(world.journal.position);
});

it('a response carries no mark if the journal could not be compared, so that the page keeps its own', async () => {
  await seen();
  world.away = true;
  expect(await server.call('GET', '')).toMatchObject({ status: 503, mark: null });
});

describe('a journal that was set back', () => {
  const brings = {
    marks: [createMarks(new Uint8Array(32), SERVICE).write({ id: 'jnl_1', position: 1n, nonce: 'lost' })],
  };

  it('a ready operation may have been sent: it becomes unconfirmed, and DELETE doesn’t discard it', async () => {
    world.connect = refused;
    await server.put();
    expect(world.recorded().state).toBe('ready');
    const read = await server.call('GET', '/key-1', null, brings);
    expect(viewInAnswer(read).operation).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect((await server.call('DELETE', '/key-1')).status).toBe(409);
  });

  it('an older operation is not resent until an operator ends the set-back, as it may have been closed in the lost part', async () => {
    world.post = () => lost('network');
    await server.put();
    await server.settled();
    await world.pass(60_000);
    const read = await server.call('GET', '/key-1', null, brings);
    expect(viewInAnswer(read)).toMatchObject({ disabled: { resend: expect.stringContaining('older copy') } });
    expect(codeOf(await server.send())).toEqual([409, expect.objectContaining({ code: 'not_done' })]);
    expect(world.posts).toHaveLength(1);
    endSetBack();
    await server.send();
    expect(world.posts).toHaveLength(2);
  });

  it('an older operation is not resent, whatever the database’s clock says since', async () => {
    world.post = () => lost('network');
    await server.put();
    await server.settled();
    await world.pass(60_000);
    world.skew.database = -HOUR;
    await server.call('GET', '', null, brings);
    expect(codeOf(await server.send())).toEqual([409, expect.objectContaining({ code: 'not_done' })]);
    expect(world.posts).toHaveLength(1);
  });

  it('an automatic retry does not begin', async () => {
    world.post = () => answer(503, envelope('unavailable'), { retryAfter: '20' });
    await server.put();
    await server.settled();
    expect(world.recorded()).toMatchObject({ state: 'unconfirmed', retryAt: expect.any(Number) });
    await server.call('GET', '', null, brings);
    await world.pass(60_000);
    expect(world.posts).toHaveLength(1);
    expect(world.recorded().retryAt).toBeUndefined();
  });

  it('an unknown key is nobody_knows for GET, DELETE and PUT, and stays so', async () => {
    expect(codeOf(await server.call('GET', '/key-1', null, brings))).toEqual(nobodyKnows);
    expect(codeOf(await server.call('DELETE', '/key-1'))).toEqual(nobodyKnows);
    expect(codeOf(await server.call('GET', '/key-1'))).toEqual(nobodyKnows);
    expect(codeOf(await server.put())).toEqual(nobodyKnows);
    expect(world.posts).toEqual([]);
  });

  it.each<[string, object]>([
    ['that arrives too late', { not_after: 0 }],
    ['that nobody confirmed', {}],
    ['that is invalid', { body: '{}' }],
  ])('a PUT %s is never called "not sent", as it may be a copy of a lost one', async (_what, more) => {
    const before = copyOf(world.journal);
    await server.put();
    await server.settled();
    expect(world.posts).toHaveLength(1);
    restore(before);
    const again = await server.put('key-1', more, brings);
    expect(codeOf(again)).toEqual(nobodyKnows);
    expect(again.body).not.toHaveProperty('not_sent');
    expect(codeOf(await server.call('GET', '/key-1'))).toEqual(nobodyKnows);
    expect(codeOf(await server.call('DELETE', '/key-1'))).toEqual(nobodyKnows);
    expect(world.posts).toHaveLength(1);
  });

  it('an earlier tombstone proves nothing until the set-back is ended', async () => {
    await server.call('DELETE', '/key-1');
    expect(codeOf(await server.call('GET', '/key-1', null, brings))).toEqual(nobodyKnows);
    endSetBack();
    expect((await server.call('GET', '/key-1')).status).toBe(410);
  });

  it('every kind of operation must be confirmed before it is sent', async () => {
    const reviewed = await server.review({}, brings);
    const token = tokenIn(reviewed);
    expect(reviewed.body).toMatchObject({ of: [{ source: 'set-back', id: token, count: null }] });
    world.sleep(1);
    const address = depositAddressRequest(SENT);
    expect(tokenIn(await server.review(address))).toBe(token);
    expect((await server.put('key-1', { ...address, second_send_of: [token] })).status).toBe(201);
    expect((await server.put('key-2', { second_send_of: [token] })).status).toBe(201);
    await server.settled();
    expect(world.posts).toHaveLength(2);
  });

  it('is ended by an operator with a reason, after 24 h at the earliest', async () => {
    await server.call('GET', '', null, brings);
    world.sleep(24 * HOUR - 1);
    expect(await server.operations.endSetBack('Compared with the service.')).toEqual(expect.any(String));
    world.sleep(1);
    expect(await server.operations.endSetBack(' ')).toEqual(expect.any(String));
    expect(tokenIn(await server.review())).not.toBe('');
    expect(await server.operations.endSetBack('Compared with the service.')).toBeNull();
    expect((await server.review()).body).toMatchObject({ of: [] });
    expect(await server.operations.endSetBack('Again.')).toEqual(expect.any(String));
    expect((await server.call('GET', '', null, brings)).body).toMatchObject({ set_back: false, set_back_at: null });
    expect((await server.call('GET', '/key-9')).status).toBe(404);
  });

  it('a 4xx that isn’t a replay is not final for an operation that was resent after it', async () => {
    world.connect = refused;
    await server.put();
    await server.call('GET', '', null, brings);
    endSetBack();
    world.connect = async () => undefined;
    world.post = () => answer(404, { error: { type: 't', code: 'not_found', message: 'No.', request_id: 'r' } });
    await server.send();
    await server.settled();
    expect(world.recorded().state).toBe('unconfirmed');
    world.post = () => answer(201, created(), { replayed: true });
    await world.pass(10_000);
    expect(world.recorded().state).toBe('succeeded');
  });
});

it('an ended operation does not reopen while another one holds its duplicate key: it records the contradiction', async () => {
  world.post = () => answer(201, { id: 'wd_1' });
  const { get } = world;
  world.get = (target) => (target === '/v1/withdrawals/wd_1' ? lost() : get(target));
  await server.put();
  await server.settled();
  expect(world.recorded()).toMatchObject({ state: 'succeeded', result: { confirmed: [] } });
  world.held();
  await server.put('key-2', { second_send_of: ['key-1'] });
  world.get = (target) => (target === '/v1/withdrawals/wd_1' ? answer(200, created({ amount: '9' })) : get(target));
  expect((await server.call('POST', '/key-1/check')).status).toBe(200);
  expect(world.recorded()).toMatchObject({ state: 'succeeded', contradiction: { id: 'wd_1', by: 'check' } });
});
