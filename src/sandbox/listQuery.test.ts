import { expect, test } from 'vitest';
import { readListQuery } from './page.ts';

const read = (search: string) =>
  readListQuery(new URLSearchParams(search), { filters: ['status', 'asset'], timed: true });

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=abc', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=1e1', 'limit'],
  ['limit=5&limit=5', 'limit'],
  ['order=up', 'order'],
  ['order=', 'order'],
  ['created_after=yesterday', 'created_after'],
  ['created_before=1.5', 'created_before'],
  ['starting_after=', 'starting_after'],
  ['starting_after=a&ending_before=b', 'starting_after'],
  ['status=', 'status'],
  ['asset=%00', 'asset'],
  ['colour=red', 'colour'],
])('%s is refused, naming %s', (search, name) => {
  expect(() => read(search)).toThrow(new RegExp(`^${name}: `));
});

test('time bounds are excluded, by the second', () => {
  expect(read('created_after=10&created_before=20')).toMatchObject({ from: '11000', until: '19999' });
});

test('without parameters the contract’s defaults apply', () => {
  expect(read('')).toEqual({ limit: 25, ascending: false, cursor: null, from: null, until: null, equal: [] });
});
