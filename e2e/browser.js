import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright';

/** Playwright's command line. */
export const PLAYWRIGHT = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');

// The headless shell first: a test costs it half the work that it costs a whole browser.
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function run(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0;
}

function ofTheSystem() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...places, ...ELSEWHERE].find((path) => existsSync(path));
}

// Playwright names only the whole browser, and keeps its headless shell in the folder beside it.
const WHOLE = /chromium-(\d+)([\\/])chrome-([\w-]+)[\\/].*?(\.exe)?$/;
const SHELL = 'chromium_headless_shell-$1$2chrome-headless-shell-$3$2chrome-headless-shell$4';

function ofPlaywright() {
  const whole = chromium.executablePath();
  return [whole.replace(WHOLE, SHELL), whole].find((path) => path !== '' && existsSync(path));
}

function installed() {
  console.log('No browser found. Installing Chromium with Playwright.');
  if (run(process.execPath, [PLAYWRIGHT, 'install', '--only-shell', 'chromium'], { timeout: 180_000 }))
    return ofPlaywright();
  if (process.getuid?.() !== 0) return undefined;
  console.log('That did not work. Installing Chromium with apt-get.');
  const environment = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  run('apt-get', ['update', '-qq'], environment);
  const found = ['chromium-headless-shell', 'chromium'].some((name) =>
    run('apt-get', ['install', '-y', '-qq', name], environment),
  );
  return found ? ofTheSystem() : undefined;
}

/** The path of a browser: CHROMIUM_PATH, Playwright's own, one of the system, else one that is installed now; undefined: none. */
export function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (!chosen) return ofPlaywright() ?? ofTheSystem() ?? installed();
  if (!existsSync(chosen)) throw new Error(`CHROMIUM_PATH names ${chosen}, where there is nothing.`);
  return chosen;
}
