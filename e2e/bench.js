// Speed as ratios measured in one run, on the built app: node e2e/bench.js. Each line says what is divided by what.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chromium } from 'playwright';
import { findBrowser } from './browser.js';

const DEPOSITS = 100_000;
const PAGES_TO_SCROLL = 200;
const PORT = 4193;
const RAW = 4194;
const raw = `http://127.0.0.1:${RAW}`;

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function timed(times, run) {
  const took = [];
  for (let i = 0; i < times; i += 1) {
    const start = performance.now();
    await run(i);
    took.push(performance.now() - start);
  }
  return median(took);
}

async function ask(path, { key, body, headers } = {}) {
  const answer = await fetch(raw + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(key && { 'x-api-key': key }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

function say(name, ratio, detail) {
  console.log(`${ratio.toFixed(2).padStart(8)}  ${name}  (${detail})`);
}

async function deepPages(key) {
  let cursor = '';
  for (let page = 0; page < DEPOSITS / 100 - 1; page += 1) {
    const list = await ask(`/v1/deposits?limit=100${cursor}`, { key });
    cursor = `&starting_after=${encodeURIComponent(list.next_cursor)}`;
  }
  // In turns, so that what else the machine does falls on both.
  const took = { first: [], last: [] };
  for (let i = 0; i < 40; i += 1) {
    took.first.push(await timed(1, () => ask('/v1/deposits?limit=25', { key })));
    took.last.push(await timed(1, () => ask(`/v1/deposits?limit=25${cursor}`, { key })));
  }
  const [first, last] = [median(took.first), median(took.last)];
  say(`a page behind ${DEPOSITS.toLocaleString('en')} deposits / the first page`, last / first, ms(last, first));
}

async function replays(key) {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const body = { asset: 'ETH', chain: 'ethereum', amount: '0.01', address };
  const post = (i) => ask('/v1/withdrawals', { key, body, headers: { 'Idempotency-Key': `bench-${i}` } });
  const executed = await timed(40, post);
  const replayed = await timed(40, post);
  say('a replayed withdrawal / an executed one', replayed / executed, ms(replayed, executed));
}

async function appends(key) {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  try {
    const origin = `http://127.0.0.1:${PORT}`;
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${origin}/sign-in?next=/deposits`);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: /^dep_/ }).first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    // The time from a scroll to the end until the list has grown: reading, parsing and rendering a page.
    const took = await page.evaluate(async (pages) => {
      const scroller = document.querySelector('[data-list-scroll]');
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const times = [];
      for (let at = 0; at < pages; at += 1) {
        const before = scroller.scrollHeight;
        const start = performance.now();
        scroller.scrollTop = before;
        while (scroller.scrollHeight === before && performance.now() - start < 10_000) await frame();
        times.push(performance.now() - start);
      }
      return times;
    }, PAGES_TO_SCROLL);
    const early = median(took.slice(0, 20));
    const late = median(took.slice(-20));
    say(
      `page ${PAGES_TO_SCROLL} appended to the list / an early one, CPU 4 times slower`,
      late / early,
      ms(late, early),
    );
  } finally {
    await browser.close();
  }
}

function ms(a, b) {
  return `${a.toFixed(1)} ms / ${b.toFixed(1)} ms`;
}

const server = spawn(process.execPath, ['dist/node/start.js'], {
  env: { ...process.env, PORT: String(PORT), SANDBOX_PORT: String(RAW), DATA_DIR: 'memory', PAYMENTS_BASE_URL: '' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  for await (const line of server.stdout) if (String(line).includes(String(RAW))) break;
  const { key } = await ask('/sandbox/accounts', { body: { deposits: DEPOSITS, assets: 7 } });
  await deepPages(key);
  await replays(key);
  await appends(key);
} finally {
  server.kill();
  await once(server, 'exit');
}
