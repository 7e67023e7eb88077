import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextPath, paths, segment } from './paths.ts';

/** Any UTF-16 at all, lone surrogates among it. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

test('ids stay one segment, whatever they hold', () => {
  expect(paths.deposit('dep_1', '?status=a')).toBe('/deposits/dep_1?status=a');
  expect(paths.deposits(new URLSearchParams())).toBe('/deposits');
  expect(paths.withdrawal('a/b?c#d')).toBe('/withdrawals/a%2Fb%3Fc%23d');
  expect(paths.signIn('/deposits?asset=BTC')).toBe('/sign-in?next=%2Fdeposits%3Fasset%3DBTC');
  fc.assert(
    fc.property(
      anyText.filter((text) => text !== ''),
      (id) => {
        const url = new URL(`/v1/withdrawals/${segment(id)}`, 'http://house.test');
        expect(url.pathname.split('/')).toHaveLength(4);
        expect(url.pathname.startsWith('/v1/withdrawals/')).toBe(true);
        expect(url.search + url.hash).toBe('');
      },
    ),
  );
  for (const id of ['.', '..', '%2e%2e', '\uD800']) {
    const url = new URL(`/v1/withdrawals/${segment(id)}`, 'http://house.test');
    expect(url.pathname).toMatch(/^\/v1\/withdrawals\/.+$/);
  }
});

test('signing in leads back into the product and nowhere else', () => {
  expect(nextPath('/deposits?asset=BTC#x')).toBe('/deposits?asset=BTC#x');
  for (const next of [
    null,
    '',
    'deposits',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'https://evil.test',
    '/sign-in?next=/',
    '/api/operations',
  ]) {
    expect([next, nextPath(next)]).toEqual([next, '/']);
  }
});
