import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readAssets } from './assets.ts';

test('all files of a build are assets, except HTML, source maps and dot files', async () => {
  const build = await mkdtemp(join(tmpdir(), 'build-'));
  onTestFinished(() => rm(build, { recursive: true }));
  const assets = ['/assets/a-1.js', '/assets/a-1.css', '/robots.txt'];
  const others = ['/index.html', '/old/index.html', '/assets/a-1.js.map', '/assets/a-1.css.map', '/.vite/boot.json'];
  for (const path of [...assets, ...others]) {
    await mkdir(dirname(join(build, path)), { recursive: true });
    await writeFile(join(build, path), 'x');
  }
  expect([...(await readAssets(build)).keys()].toSorted()).toEqual(assets.toSorted());
});
