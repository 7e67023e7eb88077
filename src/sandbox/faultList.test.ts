import { expect, test } from 'vitest';
import { readFault, faultList } from './fault.ts';

test('a repeated attempt gets the same fault again without using it up', () => {
  const faults = faultList();
  faults.add(readFault({ account: 'a', method: 'POST', path: '/v1/withdrawals', drop: true, when: 'after' }));
  const take = (attempt: string | null) => faults.take('a', 'POST', '/v1/withdrawals', attempt);
  expect(take('one')?.drop).toBe(true);
  expect(take('one')?.drop).toBe(true);
  expect(take('two')).toBeNull();
  expect(take(null)).toBeNull();
});

test('an attempt that got no fault gets none later', () => {
  const faults = faultList();
  expect(faults.take('a', 'GET', '/v1/balances', 'x')).toBeNull();
  faults.add(readFault({ account: 'a', status: 500 }));
  expect(faults.take('a', 'GET', '/v1/balances', 'x')).toBeNull();
  expect(faults.take('b', 'GET', '/v1/balances', 'y')).toBeNull();
  expect(faults.take('a', 'GET', '/v1/balances', 'z')?.status).toBe(500);
});

test('an attempt is remembered after thousands of others', () => {
  const faults = faultList();
  faults.add(readFault({ status: 500 }));
  const take = (attempt: string) => faults.take('a', 'GET', '/v1/balances', attempt);
  const first = take('first');
  for (let other = 0; other < 9_000; other += 1) expect(take(`${other}`)).toBeNull();
  expect(take('first')).toBe(first);
  expect(first?.status).toBe(500);
});

test.each([
  [{ status: 502 }, 'before'],
  [{ drop: true }, 'before'],
  [{ body: '<html>' }, 'before'],
  [{ patch: { status: 'new' } }, 'after'],
  [{ status: 201, patch: {} }, 'after'],
  [{ stall: true }, 'after'],
  [{ cutAt: 5 }, 'after'],
  [{ drop: true, when: 'after' }, 'after'],
])('%j applies %s the commit', (fault, when) => {
  expect(readFault(fault).when).toBe(when);
});

test('an invalid or unknown field is refused, naming the field', () => {
  expect(() => readFault({ times: 0 })).toThrow(/^times: /);
  expect(() => readFault({ hearders: {} })).toThrow(/^hearders: /);
  expect(() => readFault({ headers: { 'X-A': 'line\nbreak' } })).toThrow(/^headers: /);
});

test('clearing an account’s faults releases its delayed responses and no others', async () => {
  const faults = faultList();
  const ended: string[] = [];
  for (const account of ['a', 'b']) {
    const held = faults.held(readFault({ account, delay: 3_600_000 }));
    void held?.then(() => ended.push(account));
  }
  expect(faults.held(readFault({ account: 'a' }))).toBeUndefined();
  faults.clear('a');
  await Promise.resolve();
  expect(ended).toEqual(['a']);
  faults.clear(null);
  await Promise.resolve();
  expect(ended).toEqual(['a', 'b']);
});
