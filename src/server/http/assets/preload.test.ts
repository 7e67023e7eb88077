import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bootScript, inOrder, PAGES, partsOf, preloadLinks, withFirstRows } from './preload.ts';

describe('the parts of a path', () => {
  test.each(Object.keys(PAGES))('%s: files that exist, and no other page’s', (path) => {
    const parts = partsOf(path.replaceAll(/:[a-z]+/g, 'x'), true);
    expect(parts).toEqual(PAGES[path]?.map((part) => `src/web/${part}.tsx`));
    for (const part of parts) expect(existsSync(part), part).toBe(true);
  });

  test('are those of sign-in without a session, for any path but an invite’s', () => {
    expect(partsOf('/deposits', false)).toEqual(['src/web/pages/sign-in/SignInPage.tsx']);
    expect(partsOf('/join', false)).toEqual(['src/web/pages/sign-in/JoinPage.tsx']);
    expect(existsSync('src/web/pages/sign-in/SignInPage.tsx')).toBe(true);
    expect(partsOf('/nowhere', true)).toEqual([]);
  });
});

test('the early script is included only when somebody is signed in', () => {
  const boot = { 'src/web/boot/boot.ts': { file: 'assets/boot.js' } };
  expect(bootScript(boot, true)).toContain('src="/assets/boot.js"');
  expect(bootScript(boot, false)).toBe('');
  expect(bootScript({}, true)).toBe('');
});

test('links name what the page needs and the entry does not', () => {
  const manifest = {
    '_app.js': { file: 'assets/app.js', name: 'app', imports: ['_shared.js'] },
    '_shared.js': { file: 'assets/shared.js' },
    '_table.js': { file: 'assets/table.js', imports: ['_shared.js', '_table.js'] },
    'src/web/pages/x/XPage.tsx': { file: 'assets/x.js', imports: ['_table.js', '_gone.js'], css: ['assets/x.css'] },
  };
  expect(preloadLinks(manifest, ['src/web/pages/x/XPage.tsx']).match(/\/assets\/\w+\.\w+/g)).toEqual([
    '/assets/x.js',
    '/assets/x.css',
    '/assets/table.js',
  ]);
  expect(preloadLinks(manifest, [])).toBe('');
  expect(preloadLinks({}, ['src/web/pages/x/XPage.tsx'])).toBe('');
});

test('the early script and the styles are requested before the app', () => {
  const html = '<head><title>A</title><script src="/app.js"></script><link rel="stylesheet" href="/a.css">\n</head>';
  expect(inOrder(html, '<script src="/boot.js"></script>')).toBe(
    '<head><script src="/boot.js"></script><link rel="stylesheet" href="/a.css">\n<title>A</title><script src="/app.js"></script></head>',
  );
});

test('the script that draws first rows starts the app on pages of a list', () => {
  const html =
    '<head><script type="module" crossorigin src="/app.js"></script>' +
    '<link rel="modulepreload" crossorigin href="/list.js"></head><body></body>';
  const rows = { 'src/web/boot/firstRows.tsx': { file: 'rows.js' } };
  const app = { '_app.js': { file: 'app.js', name: 'app' } };
  expect(withFirstRows(html, rows, app, '/deposits')).toBe(
    '<head></head><body><script data-app="/app.js" src="/rows.js"></script>\n' +
      '<link rel="modulepreload" crossorigin href="/app.js">\n' +
      '<link rel="modulepreload" crossorigin href="/list.js">\n</body>',
  );
  expect(withFirstRows(html, rows, app, '/deposits/dep_1')).toBe(html);
  expect(withFirstRows(html, rows, app, '/ledger')).toBe(html);
  expect(withFirstRows(html, {}, app, '/deposits')).toBe(html);
});
