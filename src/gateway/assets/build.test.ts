import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { chunkOf, entryOf, PAGES, partsOf } from './preload.ts';

/** Of each page: JavaScript files, and kB of them as gzip makes them. `npm run build` and this test's failure list what there is. */
const BUDGETS: Readonly<Record<string, readonly [files: number, kB: number]>> = {
  '/': [12, 184],
  '/balances': [7, 161],
  '/balances/:asset': [9, 165],
  '/withdrawals/new': [13, 203],
  '/deposits/new-address': [9, 179],
  '/charges/new': [9, 180],
  '/webhook-deliveries/replay': [9, 179],
  '/deposits': [4, 152],
  '/deposits/:id': [10, 175],
  '/deposits/:id/case-file': [16, 199],
  '/withdrawals': [5, 153],
  '/withdrawals/:id': [11, 176],
  '/withdrawals/:id/case-file': [17, 199],
  '/ledger': [5, 154],
  '/ledger/:id': [11, 176],
  '/addresses': [7, 154],
  '/address-book': [10, 179],
  '/operations': [11, 166],
  '/operations/:key': [14, 185],
  '/requests': [8, 165],
  '/requests/:id': [11, 169],
  '/rehearsal': [9, 185],
  '/reconcile': [10, 178],
};

/** A chunk and all that it brings with it. */
function reach(chunks: Record<string, { imports?: string[] }>, name: string): string[] {
  return [name, ...(chunks[name]?.imports ?? []).flatMap((next) => reach(chunks, next))];
}

describe('what the build serves (run "npm run build" first)', () => {
  const app = join(import.meta.dirname, '../../../dist/app');
  const built = (pattern: RegExp): string[] =>
    readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(file));
  const read = (file: string): string => readFileSync(join(app, file), 'utf8');

  test('the page has no inline script, style or event handler', () => {
    expect(existsSync(join(app, 'index.html')), 'dist/app/index.html: build first').toBe(true);
    for (const file of built(/\.html$/)) {
      const html = read(file);
      const scripts = [...html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)].map(([whole]) => whole);
      const inline = scripts.filter((script) => !/application\/json|><\/script>$/.test(script));
      expect(inline, file).toEqual([]);
      expect(html).not.toMatch(/<style\b|\sstyle=|\son[a-z]+=|javascript:|src="data:/);
    }
  });

  test('no script or style comes from a data: address', () => {
    for (const file of built(/\.(js|css)$/)) {
      expect(read(file), file).not.toMatch(/data:(text|application)\/(java|ecma)script|data:text\/css/);
    }
  });

  const manifest = () =>
    JSON.parse(read('.vite/manifest.json')) as Record<string, { file: string; name?: string; imports?: string[] }>;

  test('exact decimals are read with the pages that compute, and not before the first of any', () => {
    const chunks = manifest();
    const holdDecimals = (name: string) =>
      reach(chunks, name).filter((part) => read(chunks[part]?.file ?? '').includes('[DecimalError]'));
    expect(holdDecimals('src/pages/home/HomePage.tsx')).not.toEqual([]);
    expect(holdDecimals(entryOf(chunks))).toEqual([]);
  });

  test('every page keeps to its budget of JavaScript before its first row or figure', () => {
    const chunks = manifest();
    const zipped = (file: string) => gzipSync(readFileSync(join(app, file)), { level: 9 }).length;
    const reached = Object.keys(PAGES).map((path) => {
      const parts = partsOf(path.replaceAll(/:[a-z]+/g, 'x'), true);
      const needed = [entryOf(chunks), ...parts.map((part) => chunkOf(chunks, part))];
      const files = new Set(needed.flatMap((name) => reach(chunks, name).map((part) => chunks[part]?.file ?? '')));
      const bytes = [...files].reduce((sum, file) => sum + zipped(file), 0);
      return { path, files: files.size, kB: Math.ceil(bytes / 1000) };
    });
    const over = reached.filter(({ path, files, kB }) => {
      const [mostFiles, mostKB] = BUDGETS[path] ?? [0, 0];
      return files > mostFiles || kB > mostKB;
    });
    expect(over).toEqual([]);
    expect(Object.keys(BUDGETS).sort()).toEqual(Object.keys(PAGES).sort());
  });

  test('the early script is one small file', () => {
    const [boot, ...more] = built(/assets.boot-[^.]+\.js$/);
    expect(more).toEqual([]);
    expect(read(boot ?? '')).not.toMatch(/\bimport\b(?!\()/);
    expect(gzipSync(read(boot ?? '')).length).toBeLessThan(2_200);
  });

  test('the script of the first rows is one file, small, and without React’s own', () => {
    const [rows, ...more] = built(/assets.firstRows-[^.]+\.js$/);
    expect(more).toEqual([]);
    expect(read(rows ?? '')).not.toMatch(/useState|DecimalError/);
    expect(gzipSync(read(rows ?? '')).length).toBeLessThan(9_500);
  });

  test('no server is in the browser’s bundle', () => {
    for (const file of built(/\.js$/)) {
      expect(read(file), file).not.toMatch(/pglite|SANDBOX_[A-Z]|DATABASE_URL|create table|node:(fs|http|crypto)/i);
    }
    expect(built(/\.(wasm|data)$/)).toEqual([]);
  });
});
