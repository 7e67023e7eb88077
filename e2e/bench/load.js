// Time to a page's first row or figure on a slow CPU and network, compared with the floor app.
import { ask, median, ms, origin, printTable, openSession, times } from './processes.js';

const ROUNDS = 7;
const CPU_SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };

/** Each page and the element to wait for: its first row (drawn early or by the app) or first figure. */
const ROW = '[role="row"] [data-row-link]';
const PAGES = {
  '/deposits': ROW,
  '/deposits/:id': '.list-detail .amt',
  '/': 'main .amt',
  '/balances': 'main .amt',
  '/withdrawals': ROW,
  '/ledger': ROW,
  '/withdrawals/new': 'form input',
};

const READY = 'The app has rendered it.';

/** Runs in the page first: records when the selector was first painted, and when the app had rendered it. */
function watchFor({ selector, READY }) {
  const note = (list) =>
    (window.longest = Math.max(window.longest ?? 0, ...list.getEntries().map(({ duration }) => duration)));
  new PerformanceObserver(note).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const found = [...document.querySelectorAll(selector)];
    const isApps = found.some((element) => !element.closest('[data-static-sheet]'));
    if (!isApps) requestAnimationFrame(look);
    // The current frame paints it.
    setTimeout(() => {
      if (found.length > 0) window.shownAt ??= performance.now();
      if (!isApps) return;
      window.readyAt = performance.now();
      console.debug(READY);
    });
  };
  requestAnimationFrame(look);
}

function readTimings() {
  const resources = performance.getEntriesByType('resource');
  const scripts = resources.filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= window.shownAt);
  const first = resources.filter(({ name }) => new URL(name).pathname.startsWith('/v1/'));
  return {
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    request: Math.min(...first.map(({ startTime }) => startTime)),
    shown: window.shownAt,
    ready: window.readyAt,
    bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    files: scripts.length,
    longest: window.longest ?? 50,
  };
}

async function load(browser, url, selector, cookie) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    if (cookie) await context.addCookies([cookie]);
    const page = await context.newPage();
    await page.addInitScript(watchFor, { selector, READY });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    // Wait for a console message: page.evaluate would inject 330 kB of script during the measurement.
    const ready = page.waitForEvent('console', (message) => message.text() === READY);
    await page.goto(url, { waitUntil: 'commit' });
    await ready;
    return await page.evaluate(readTimings);
  } finally {
    await context.close();
  }
}

function medians(samples) {
  return Object.fromEntries(Object.keys(samples[0]).map((name) => [name, median(samples.map((one) => one[name]))]));
}

/** Medians over several rounds, alternating between the pages. */
async function mediansOf(ways) {
  const samples = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, way] of Object.entries(ways)) samples[name].push(await way());
  return Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, medians(taken)]));
}

export async function measureLoading(browser, { account, key }) {
  const { cookie } = await openSession(key);
  const floor = () => load(browser, `${origin('floor')}/deposits`, 'tbody tr');
  const [{ id: deposit }] = (await ask('/v1/deposits?limit=1', { key })).data;
  const product = (path) => load(browser, origin('product') + path.replace(':id', deposit), PAGES[path], cookie);
  const ways = { floor, ...Object.fromEntries(Object.keys(PAGES).map((path) => [path, () => product(path)])) };
  const found = await mediansOf(ways);
  await ask('/sandbox/faults', {
    body: { account, method: 'GET', path: '/v1/', delay: 200, times: 1_000_000, when: 'after' },
  });
  const slow = await mediansOf({ floor, '/deposits': () => product('/deposits') });
  const rows = Object.entries(found).map(([name, { paint, request, shown, ready, bytes, files, longest }]) => [
    name === 'floor' ? 'floor app, `/deposits`' : `\`${name}\``,
    `${(bytes / 1000).toFixed(0)} kB, ${files}`,
    ms(paint),
    Number.isFinite(request) ? ms(request) : '–',
    ms(longest),
    ms(shown),
    times(shown / found.floor.shown),
    ms(ready),
  ]);
  const head = [
    'page',
    'JavaScript before it, files',
    'first paint',
    'first request',
    'longest task',
    'first row or figure',
    '/ floor',
    'app ready',
  ];
  printTable(`Loading: CPU ${CPU_SLOWDOWN}× slower, 10 Mbit/s, 40 ms, HTTP/1.1, medians of ${ROUNDS}`, head, rows);
  const ratio = slow['/deposits'].shown / slow.floor.shown;
  console.log(
    `\nWith a service that takes 200 ms: ${ms(slow['/deposits'].shown)}, floor ${ms(slow.floor.shown)}: ${times(ratio)}`,
  );
}
