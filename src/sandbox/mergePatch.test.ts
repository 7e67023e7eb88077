import { expect, test } from 'vitest';
import { mergePatch } from './fault.ts';

test.each([
  [
    { a: 1, b: 2 },
    { b: null, c: 3 },
    { a: 1, c: 3 },
  ],
  [{ a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
  [{ data: [{ s: 1 }, { s: 2 }] }, { data: { '1': { s: 'new' } } }, { data: [{ s: 1 }, { s: 'new' }] }],
  [{ data: [{ s: 1 }, { s: 2 }] }, { data: { '0': null } }, { data: [{ s: 2 }] }],
  [{ data: [1] }, { data: [] }, { data: [] }],
  [{ a: '1' }, { a: { $set: null } }, { a: null }],
  [{ a: 1 }, 'text', 'text'],
])('%j with %j becomes %j', (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

test('a key named __proto__ stays a key', () => {
  const patched = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'));
  expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":true}}');
  expect({}).not.toHaveProperty('polluted');
});
