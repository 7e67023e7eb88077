// Finds a browser and runs the end-to-end tests on the built app: node e2e/run.js [arguments of playwright test]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLAYWRIGHT, findBrowser } from './browser.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const browser = findBrowser();
if (!browser) {
  console.error('The browser tests need Chromium: install it, or name one with CHROMIUM_PATH=/path/to/chromium.');
  process.exit(1);
}
const args = [PLAYWRIGHT, 'test', '-c', join(HERE, 'playwright.config.ts'), ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, {
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM_PATH: browser },
});
// On CI, where result files can't be opened, print why a test failed and the contents of its page.
const results = join(HERE, '../test-results');
for (const name of status !== 0 && existsSync(results) ? readdirSync(results) : []) {
  const context = join(results, name, 'error-context.md');
  if (!existsSync(context)) continue;
  const text = readFileSync(context, 'utf8');
  const [, error = ''] = /# Error details\s+```\n([^`]+)/.exec(text) ?? [];
  const [, page = ''] = /```yaml\n([^`]+)/.exec(text) ?? [];
  console.log(`${name}:\n${page}\n${error}`);
}
process.exit(status ?? 1);
