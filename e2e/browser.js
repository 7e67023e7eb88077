import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright';

/** Playwright's command line. */
export const PLAYWRIGHT = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');

// The headless shell first: tests need half the CPU time of a full browser.
const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const OTHER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function run(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0;
}

function findSystemBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const places = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...places, ...OTHER_PATHS].find((path) => existsSync(path));
}

// Playwright reports only the full browser's path; its headless shell is in a sibling folder.
const FULL_BROWSER = /chromium-(\d+)([\\/])chrome-([\w-]+)[\\/].*?(\.exe)?$/;
const HEADLESS_SHELL = 'chromium_headless_shell-$1$2chrome-headless-shell-$3$2chrome-headless-shell$4';

function findPlaywrightBrowser() {
  const whole = chromium.executablePath();
  return [whole.replace(FULL_BROWSER, HEADLESS_SHELL), whole].find((path) => path !== '' && existsSync(path));
}

function installBrowser() {
  console.log('No browser found. Installing Chromium with Playwright.');
  if (run(process.execPath, [PLAYWRIGHT, 'install', '--only-shell', 'chromium'], { timeout: 180_000 }))
    return findPlaywrightBrowser();
  if (process.getuid?.() !== 0) return undefined;
  console.log('That did not work. Installing Chromium with apt-get.');
  const environment = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  run('apt-get', ['update', '-qq'], environment);
  const found = ['chromium-headless-shell', 'chromium'].some((name) =>
    run('apt-get', ['install', '-y', '-qq', name], environment),
  );
  return found ? findSystemBrowser() : undefined;
}

/** Path of a browser: CHROMIUM_PATH, Playwright's own, the system's, or one that is installed now; undefined if none works. */
export function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (!chosen) return findPlaywrightBrowser() ?? findSystemBrowser() ?? installBrowser();
  if (!existsSync(chosen)) throw new Error(`CHROMIUM_PATH names ${chosen}, where there is nothing.`);
  return chosen;
}
