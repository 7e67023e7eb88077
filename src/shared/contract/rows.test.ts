import { expect, test } from 'vitest';
import { depositSchema, listOf, parseWith, rawOf, withdrawalSchema } from './rows.ts';

const parseDeposits = listOf(depositSchema);

test('unknown words, numbers as amounts, nulls and missing fields are kept as sent', () => {
  const sent = {
    id: 'dep_1',
    status: 'teleported',
    asset: null,
    chain: 7,
    received_amount: 0.1,
    created_at: '2026',
    nested: { deep: [1, { a: null }] },
  };
  expect(parseWith(depositSchema)(sent)).toEqual({ ...sent, chain: '7' });
  expect(parseWith(withdrawalSchema)({ id: 'wd_1' })).toMatchObject({ id: 'wd_1', status: null, tx_hash: null });
  expect(parseWith(withdrawalSchema)({ id: 'wd_1' }).amount).toBeUndefined();
  expect(parseWith(withdrawalSchema)({ id: 'wd_1', fee: null }).fee).toBeNull();
});

test('`__proto__` in an answer does not reach a prototype', () => {
  const hostile =
    '{"id":"dep_1","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"status":{"__proto__":{"polluted":1}}}';
  const [row] = parseDeposits({ data: [JSON.parse(hostile)], has_more: false }).data;
  expect(row?.id).toBe('dep_1');
  expect(row).not.toHaveProperty('polluted');
  expect({}).not.toHaveProperty('polluted');
  expect(parseDeposits(JSON.parse(`{"__proto__":[],"data":[],"has_more":false}`)).data).toEqual([]);
});

test('malformed items are counted, the others stay', () => {
  const items = [{ id: 'dep_1' }, null, 5, 'dep_2', [], {}, { id: '' }, { id: 7 }, { id: 'dep_3' }];
  const list = parseDeposits({ object: 'list', data: items, has_more: true, next_cursor: 'c' });
  expect(list.data.map(({ id }) => id)).toEqual(['dep_1', 'dep_3']);
  expect(list.malformed).toEqual([null, 5, 'dep_2', [], {}, { id: '' }, { id: 7 }]);
  expect(list).toMatchObject({ has_more: true, next_cursor: 'c' });
});

test('a row that parsing didn’t change is the item itself; for any other row, rawOf() returns the item', () => {
  const whole = { id: 'dep_1', status: 'pending', asset: 'BTC', chain: 'bitcoin', memo: '7' };
  const items = [whole, { id: 'dep_2' }, { ...whole, chain: 7 }];
  const { data } = parseDeposits({ data: items });
  expect(data[0]).toBe(whole);
  expect(data.slice(1)).toMatchObject([{ status: null }, { chain: '7' }]);
  expect(data.map(rawOf)).toEqual(items);
});

test('a list without has_more and next_cursor is reported', () => {
  expect(parseDeposits({ data: [] })).toMatchObject({ has_more: null, next_cursor: null });
  expect(parseDeposits({ data: [], has_more: 'yes', next_cursor: 5 })).toMatchObject({
    has_more: null,
    next_cursor: null,
  });
  expect(parseDeposits({ data: [], has_more: true, next_cursor: '' })).toMatchObject({
    has_more: true,
    next_cursor: null,
  });
});

test('a value that is not a list or an object fails with its place', () => {
  for (const json of [null, undefined, [], 5, 'text', {}, { data: null }, { data: {} }]) {
    expect(() => parseDeposits(json)).toThrow(TypeError);
  }
  expect(() => parseDeposits({ data: 'x' })).toThrow('"data"');
  expect(() => parseWith(withdrawalSchema)({})).toThrow('"id"');
  expect(() => parseWith(withdrawalSchema)(null)).toThrow('not the object');
});
