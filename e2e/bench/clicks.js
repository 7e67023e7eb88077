// Time from a click or key press to the next paint, measured by the browser's Event Timing API.
import { median, ms, openSession, origin, printTable, quantile } from './processes.js';

const TIMES = 40;
/** Event Timing reports no shorter events. */
const SHORTEST_MS = 16;
const RATES = [1, 4];

function watchEvents(shortestMs) {
  window.interactions = [];
  new PerformanceObserver((list) => window.interactions.push(...list.getEntries())).observe({
    type: 'event',
    durationThreshold: shortestMs,
    buffered: true,
  });
}

/** Duration of the longest event of one action, in ms; SHORTEST_MS if none was reported. */
async function longestEvent(page, act) {
  await page.evaluate(() => (window.interactions.length = 0));
  await act(page);
  return page.evaluate(async (shortestMs) => {
    // Entries arrive shortly after the paint.
    for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
    const ofPerson = window.interactions.filter(({ interactionId }) => interactionId > 0);
    return Math.max(shortestMs, ...ofPerson.map(({ duration }) => duration));
  }, SHORTEST_MS);
}

const press = (name) => (page) => page.getByRole('button', { name }).click();
const key = (name) => (page) => page.keyboard.press(name);
const rows = '[data-list-scroll] [role="row"] a';
const sort = async (page) => {
  await page.getByRole('button', { name: /^Created (?:UTC|local)/ }).click();
  await page.locator(rows).nth(5).waitFor();
};

/** The most frequent actions, in an order that ends in the initial state. */
const DEPOSITS = {
  'open a filter': press(/^Status /),
  filter: async (page) => {
    await page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name: 'completed' }).click();
    await page.locator(rows).nth(5).waitFor();
  },
  'clear the filter': press('Clear status'),
  sort,
  'sort back': sort,
  'open a row': (page) => page.locator(rows).nth(5).click(),
  next: press('Next deposit'),
  close: (page) => page.getByRole('link', { name: 'Close', exact: true }).click(),
  'open find': key('/'),
  'type in find': key('d'),
  'close find': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'hidden' });
  },
};

const WITHDRAWAL = {
  Asset: 'ETH',
  Chain: 'ethereum',
  Amount: '0.01',
  'Destination address': '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};
const FORM = {
  review: async (page) => {
    await press('Review withdrawal')(page);
    await page.getByRole('button', { name: 'Send withdrawal' }).waitFor();
  },
  'back to the form': async (page) => {
    await press('Back to the form')(page);
    await page.getByRole('button', { name: 'Review withdrawal' }).waitFor();
  },
};

export async function measureClicks(browser, { key }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([(await openSession(key)).cookie]);
  const page = await context.newPage();
  await page.addInitScript(watchEvents, SHORTEST_MS);
  const devtools = await context.newCDPSession(page);
  const found = new Map();
  const repeat = async (acts) => {
    // Warm up: lazily loaded code is present from then on.
    for (const act of Object.values(acts)) await act(page);
    for (const rate of RATES) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate });
      for (let time = 0; time < TIMES / rate; time += 1)
        for (const [name, act] of Object.entries(acts)) {
          const took = found.get(name) ?? RATES.map(() => []);
          took[RATES.indexOf(rate)].push(await longestEvent(page, act));
          found.set(name, took);
        }
    }
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  };
  await page.goto(`${origin('product')}/deposits`);
  await page.locator(rows).first().waitFor();
  await repeat(DEPOSITS);
  await page.goto(`${origin('product')}/withdrawals/new`);
  for (const [label, text] of Object.entries(WITHDRAWAL)) await page.getByLabel(label, { exact: true }).fill(text);
  await repeat(FORM);
  const lines = [...found].map(([name, [full, slow]]) => [
    name,
    ms(median(full)),
    ms(quantile(full, 0.98)),
    ms(median(slow)),
  ]);
  printTable(
    'From a click or a key to the next paint',
    ['', 'median', 'p98', `median, CPU ${RATES[1]}× slower`],
    lines,
  );
  await context.close();
}
