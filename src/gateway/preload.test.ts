import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pageOf, partsOf, preloadLinks } from './preload.ts';

describe('the page of a path', () => {
  test.each([
    '/',
    '/balances',
    '/balances/BTC',
    '/deposits',
    '/withdrawals',
    '/withdrawals/new',
    '/address-book',
    '/ledger',
    '/requests',
    '/operations/op_1',
    '/deposits/new-address',
    '/charges/new',
    '/webhook-deliveries/replay',
  ])('%s is a file that exists', (path) => {
    expect(existsSync(pageOf(path, true) ?? '')).toBe(true);
  });

  test('has the banner above it, but not at sign-in', () => {
    const [page, banner, ...more] = partsOf('/deposits', true);
    expect([page, banner, more]).toEqual([pageOf('/deposits', true), 'src/pages/operations/Banner.tsx', []]);
    expect(existsSync(banner ?? '')).toBe(true);
    expect(partsOf('/nowhere', true)).toEqual([banner]);
    expect(partsOf('/deposits', false)).toEqual([pageOf('/', false)]);
  });

  test('is sign-in without a session, whatever was asked for', () => {
    expect(pageOf('/deposits', false)).toBe('src/pages/sign-in/SignInPage.tsx');
    expect(existsSync('src/pages/sign-in/SignInPage.tsx')).toBe(true);
    expect(pageOf('/nowhere', true)).toBeNull();
  });
});

test('links name what the page needs and the entry does not', () => {
  const manifest = {
    'index.html': { file: 'assets/index.js', imports: ['_shared.js'] },
    '_shared.js': { file: 'assets/shared.js' },
    '_table.js': { file: 'assets/table.js', imports: ['_shared.js', '_table.js'] },
    'src/pages/x/XPage.tsx': { file: 'assets/x.js', imports: ['_table.js', '_gone.js'], css: ['assets/x.css'] },
  };
  expect(preloadLinks(manifest, ['src/pages/x/XPage.tsx']).match(/\/assets\/\w+\.\w+/g)).toEqual([
    '/assets/x.js',
    '/assets/x.css',
    '/assets/table.js',
  ]);
  expect(preloadLinks(manifest, [])).toBe('');
  expect(preloadLinks({}, ['src/pages/x/XPage.tsx'])).toBe('');
});
