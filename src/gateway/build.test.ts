import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

describe('what the build serves (run "npm run build" first)', () => {
  const app = join(import.meta.dirname, '../../dist/app');
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

  test('exact decimals are read with the pages that compute, and not before the first of any', () => {
    const manifest = JSON.parse(read('.vite/manifest.json')) as Record<string, { file: string; imports?: string[] }>;
    const reach = (name: string): string[] => [name, ...(manifest[name]?.imports ?? []).flatMap(reach)];
    const holdDecimals = (name: string) =>
      reach(name).filter((part) => read(manifest[part]?.file ?? '').includes('[DecimalError]'));
    expect(holdDecimals('src/pages/home/HomePage.tsx')).not.toEqual([]);
    expect(holdDecimals('index.html')).toEqual([]);
  });

  test('no server is in the browser’s bundle', () => {
    for (const file of built(/\.js$/)) {
      expect(read(file), file).not.toMatch(/pglite|SANDBOX_[A-Z]|DATABASE_URL|create table|node:(fs|http|crypto)/i);
    }
    expect(built(/\.(wasm|data)$/)).toEqual([]);
  });
});
