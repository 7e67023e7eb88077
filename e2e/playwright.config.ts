import { defineConfig } from 'playwright/test';
import { DEEP } from '#src/tests/depth.ts';
import { SHORT_LIVED } from '#src/tests/process/program.ts';
import { SANDBOX_TEMPLATE } from '#src/tests/process/template.ts';
import { SERVERS } from './support/servers.ts';

// Options for a browser that sends requests only to the page's own server.
const ALONE = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-quic',
  // There is no GPU, and a process that emulates one would take a tenth of the CPU time.
  '--disable-gpu',
  '--no-first-run',
  '--no-pings',
];
const executablePath = process.env['CHROMIUM_PATH'];
const root = process.getuid?.() === 0;

function server(name: keyof typeof SERVERS, env: Record<string, string>, flag = '') {
  const { port } = SERVERS[name];
  return {
    name,
    command: `node ${flag} dist/node/start.js`,
    cwd: '..',
    url: `http://127.0.0.1:${port}/healthz`,
    env: {
      PORT: String(port),
      DATA_DIR: 'memory',
      SANDBOX_TEMPLATE,
      SANDBOX_DEPOSITS: '300',
      SESSION_SECRET: `e2e-secret-of-${name}-alone`,
      ...env,
    },
    reuseExistingServer: false,
    timeout: 90_000,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 5000 },
    stdout: 'ignore' as const,
  };
}

const raw = `http://127.0.0.1:${SERVERS.raw.port}`;

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  testIgnore: DEEP ? [] : '**/*.deep.e2e.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: true,
  // Tests spend about half of their time waiting for pages, so three workers suit two cores.
  workers: 3,
  // A test that fails even once has found a bug.
  retries: 0,
  // Long enough for a busy machine: no test is about speed.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [...ALONE, ...(root ? ['--no-sandbox'] : [])],
    },
    screenshot: 'only-on-failure',
    trace: 'off',
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    // No test is about transitions, and drawing each of their frames takes CPU time.
    contextOptions: { reducedMotion: 'reduce' },
  },
  // `npm test` runs each test on one server, by its tag. It has one or two tests of each promise; the rest (`@deep`) and the
  // other server are left to `npm run test:deep`. Each project starts its own browsers, so one project has all three servers.
  projects: [
    { name: 'app', ...(!DEEP && { grepInvert: /@deep/ }) },
    ...(DEEP ? [{ name: 'forwarded', grep: /@forwarded|@also-forwarded/, use: { baseURL: SERVERS.F.origin } }] : []),
  ],
  // E: the embedded sandbox, which is also served raw on its own port. F: a gateway to that raw port. R: the same, read-only.
  webServer: [
    server('E', { SANDBOX_PORT: String(SERVERS.raw.port), JOURNAL_ONLY: 'true' }),
    // Tests of several accounts pay the same destination, and must not be asked to confirm because of another account's payment.
    server('F', { PAYMENTS_BASE_URL: raw, ACCOUNTS: 'separate' }, SHORT_LIVED),
    server('R', { PAYMENTS_BASE_URL: raw, READ_ONLY: 'true' }, SHORT_LIVED),
  ],
});
