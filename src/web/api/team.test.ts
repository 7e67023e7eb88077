import { afterEach, describe, expect, test } from 'vitest';
import { outcomeUnknown } from './errors.ts';
import { setTransport } from './http.ts';
import { changeItem, findItem, loadItems, EditConflictError, addItems } from './team.ts';

afterEach(() => setTransport(null));

interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}

/** Answers in this order; returns the requests it got. */
function serverWith(...answers: { status?: number; body: unknown }[]): Asked[] {
  const asked: Asked[] = [];
  setTransport((path, { method = 'GET', body }) => {
    const url = new URL(path, 'http://x');
    asked.push({
      method,
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      body: typeof body === 'string' ? body : '',
    });
    const answer = answers.shift() ?? { status: 500, body: {} };
    const headers = { 'Content-Type': 'application/json' };
    return Promise.resolve(new Response(JSON.stringify(answer.body), { status: answer.status ?? 200, headers }));
  });
  return asked;
}

const view = (name: string, search = 'asset=BTC') => ({ name, path: '/deposits', search });
const item = (name: string, revision = 1, more: object = {}) => ({
  id: `/deposits ${name}`,
  revision,
  who: 'Ben',
  created_at: 1,
  updated_at: 2,
  deleted: false,
  value: view(name),
  ...more,
});
const list = (data: unknown[], more: object = {}) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null, position: 'e.9', complete: true, ...more },
});
const load = (before?: Parameters<typeof loadItems<'views'>>[1]) => loadItems('views', before, { account: 'a' });
const names = ({ items }: Awaited<ReturnType<typeof load>>) => items.map(({ value }) => value.name);

describe('a collection', () => {
  test('is loaded page by page, up to where it stood at the first one', async () => {
    const asked = serverWith(
      list([item('A')], { has_more: true, next_cursor: '5', position: 'e.7' }),
      list([item('B'), item('A', 2)], { position: 'e.8' }),
    );
    const loaded = await load();
    expect(names(loaded)).toEqual(['A', 'B']);
    expect(loaded).toMatchObject({ position: 'e.7', items: [{ revision: 2 }, {}] });
    expect(asked.map(({ query }) => query.get('cursor'))).toEqual([null, '5']);
  });

  test('then only what changed since: new, newer and removed', async () => {
    const asked = serverWith(
      list([item('A'), item('B'), item('C', 3)]),
      list([item('B', 2, { deleted: true }), item('C', 2), item('D')], { complete: false, position: 'e.12' }),
    );
    const before = await load();
    const after = await load(before);
    expect(asked[1]?.query.get('updated_after')).toBe('e.9');
    expect(names(after)).toEqual(['A', 'C', 'D']);
    expect(after).toMatchObject({ position: 'e.12', items: [{}, { revision: 3 }, {}] });
  });

  test('is replaced when the server sends the whole of it', async () => {
    serverWith(list([item('A')]), list([item('B')]));
    expect(names(await load(await load()))).toEqual(['B']);
  });

  test('omits items of another version and loads them again next time', async () => {
    const asked = serverWith(list([item('A'), item('X', 1, { value: { colour: 'red' } }), 7]), list([item('A')]));
    const before = await load();
    expect(before).toMatchObject({ items: { length: 1 }, unreadable: 2 });
    await load(before);
    expect(asked[1]?.query.get('updated_after')).toBeNull();
  });

  test('with has_more but no cursor is refused', async () => {
    serverWith(list([], { has_more: true }));
    await expect(load()).rejects.toThrow('to its end');
  });
});

describe('a change', () => {
  const change = { id: '/deposits A', value: view('A', 'asset=ETH'), revision: 1 };

  test('states the revision that the person saw', async () => {
    const asked = serverWith({ body: item('A', 2) }, { body: item('A', 3, { deleted: true }) });
    expect(await changeItem('a', 'views', change)).toMatchObject({ revision: 2 });
    expect(await changeItem('a', 'views', { ...change, value: null, revision: 2 })).toMatchObject({ deleted: true });
    expect(asked).toMatchObject([{ method: 'PUT', path: '/api/team/views//deposits A' }, { method: 'DELETE' }]);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ value: change.value, revision: 1 });
    expect(asked[1]?.query.get('revision')).toBe('2');
  });

  test('after a colleague’s is refused, and their version is given', async () => {
    const error = { type: 'team_error', code: 'moved_on', message: 'A colleague changed this.', request_id: 'req_1' };
    serverWith({ status: 409, body: { error, item: item('A', 5) } });
    const refused = await changeItem('a', 'views', change).catch((failure: unknown) => failure);
    expect(refused).toBeInstanceOf(EditConflictError);
    expect(refused).toMatchObject({ status: 409, requestId: 'req_1', item: { revision: 5, who: 'Ben' } });
    for (const gone of [undefined, item('A', 6, { deleted: true })]) {
      serverWith({ status: 409, body: { error, item: gone } });
      expect(await changeItem('a', 'views', change).catch((failure: unknown) => failure)).toMatchObject({ item: null });
    }
  });

  test('that fails otherwise says why', async () => {
    const error = { type: 'team_error', code: 'full', message: 'There is room for 10,000.', request_id: 'req_1' };
    serverWith({ status: 422, body: { error } });
    await expect(changeItem('a', 'views', change)).rejects.toMatchObject({ code: 'full' });
    setTransport(() => Promise.reject(new TypeError('lost')));
    const lost = await changeItem('a', 'views', change).catch((failure: unknown) => failure);
    expect(lost).toMatchObject({ kind: 'network' });
    serverWith({ body: { saved: true } });
    const strange = await changeItem('a', 'views', change).catch((failure: unknown) => failure);
    expect([lost, strange].map(outcomeUnknown)).toEqual([true, true]);
  });

  test('of many items is sent in parts', async () => {
    const values = Array.from({ length: 501 }, (_, at) => view(`V${at}`));
    const asked = serverWith(list([item('V0')]), list([item('V500')]));
    expect(await addItems('a', 'views', values)).toHaveLength(2);
    expect(asked.map(({ body }) => JSON.parse(body).values.length)).toEqual([500, 1]);
  });
});

test('an item that may be missing', async () => {
  serverWith(list([]), list([item('A')]));
  expect(await findItem('views', '/deposits A', {})).toBeNull();
  expect(await findItem('views', '/deposits A', {})).toMatchObject({ value: { name: 'A' } });
});
