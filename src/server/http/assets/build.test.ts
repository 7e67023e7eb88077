import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { LIST_PAGES } from '#src/shared/paths.ts';
import { chunkOf, entryOf, partsOf } from './preload.ts';

/** kB of JavaScript (gzip) that these pages may load before their first row or figure: about 15 % above today's build. */
const BUDGET_KB: Readonly<Record<string, number>> = { '/': 255, '/deposits': 195, '/withdrawals': 195 };

/** A chunk and everything that it imports. */
function reach(chunks: Record<string, { imports?: string[] }>, name: string): string[] {
  return [name, ...(chunks[name]?.imports ?? []).flatMap((next) => reach(chunks, next))];
}

describe('what the build serves (run "npm run build" first)', () => {
  const app = join(import.meta.dirname, '../../../../dist/app');
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

  test('the decimal library is loaded only with pages that compute, and never before the first view', () => {
    const chunks = manifest();
    const holdDecimals = (name: string) =>
      reach(chunks, name).filter((part) => read(chunks[part]?.file ?? '').includes('[DecimalError]'));
    expect(holdDecimals('src/web/pages/home/HomePage.tsx')).not.toEqual([]);
    expect(holdDecimals(entryOf(chunks))).toEqual([]);
  });

  test('a list shows its rows before the code of names and notes is loaded', () => {
    const chunks = manifest();
    const loadsTeam = (path: string) =>
      partsOf(path, true).some((part) =>
        reach(chunks, chunkOf(chunks, part)).some((name) => chunks[name]?.name === 'team'),
      );
    expect(loadsTeam('/recipients')).toBe(true);
    expect(Object.values(LIST_PAGES).filter(({ path }) => loadsTeam(path))).toEqual([]);
  });

  test('the first pages stay within their budget of JavaScript', () => {
    const chunks = manifest();
    const zipped = (file: string) => gzipSync(readFileSync(join(app, file)), { level: 9 }).length;
    const over = Object.entries(BUDGET_KB).filter(([path, budget]) => {
      const needed = [entryOf(chunks), ...partsOf(path, true).map((part) => chunkOf(chunks, part))];
      const files = new Set(needed.flatMap((name) => reach(chunks, name).map((part) => chunks[part]?.file ?? '')));
      const bytes = [...files].reduce((sum, file) => sum + zipped(file), 0);
      return bytes > budget * 1000;
    });
    expect(over).toEqual([]);
  });

  test('the early script is one file that imports nothing', () => {
    const [boot, ...more] = built(/assets.boot-[^.]+\.js$/);
    expect(more).toEqual([]);
    expect(read(boot ?? '')).not.toMatch(/\bimport\b(?!\()/);
  });

  test('the script of the first rows is one file, without React’s state', () => {
    const [rows, ...more] = built(/assets.firstRows-[^.]+\.js$/);
    expect(more).toEqual([]);
    expect(read(rows ?? '')).not.toMatch(/useState|DecimalError/);
  });

  test('the browser’s bundle contains no server code', () => {
    for (const file of built(/\.js$/)) {
      expect(read(file), file).not.toMatch(/pglite|SANDBOX_[A-Z]|DATABASE_URL|create table|node:(fs|http|crypto)/i);
    }
    expect(built(/\.(wasm|data)$/)).toEqual([]);
  });
});
