import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoded, isIdParameter, isPathParameter, nextPath, paths, segment } from './paths.ts';

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

test('an id stays one segment, whatever it contains', () => {
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

test('a path parameter never leads to another path, even if the service decodes or splits the path again', () => {
  for (const code of ['BTC', 'USDC.e', 'ibc/27394', 'a..b', '...', '50%', 'ä ?#;', 'x'.repeat(200)])
    expect([code, isPathParameter(code)]).toEqual([code, true]);
  for (const other of [
    '',
    '.',
    '..',
    '../a',
    'a/..',
    'a\\..',
    '..;/a',
    '.;a',
    '..?a',
    'a/..#',
    'a\0',
    'a\nb',
    '\u0085',
    '%2e',
    'a%2Fb',
    '\uD800',
    'x'.repeat(201),
  ])
    expect([other, isPathParameter(other), isIdParameter(other)]).toEqual([other, false, false]);
  for (const code of ['a/b', 'a\\b', 'a;b', 'a?b', 'a#b']) expect([code, isIdParameter(code)]).toEqual([code, false]);
  const pathLike = fc.string({ unit: fc.constantFrom(...Array.from('./\\;%2eEfF5?#a')), maxLength: 12 });
  fc.assert(
    fc.property(pathLike.filter(isPathParameter), (text) => {
      for (const late of [text, decoded(text)])
        expect(new URL(`http://house.test/v1/balances/${late}`).pathname).toMatch(/^\/v1\/balances\//);
    }),
  );
});

test('after sign-in the browser goes to a page of the product and nowhere else', () => {
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
    '/join#token',
  ]) {
    expect([next, nextPath(next)]).toEqual([next, '/']);
  }
});
