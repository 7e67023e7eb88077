// How long a click or a key takes until what it changed is painted, as the browser measures it (Event Timing).
import { ms, origin, openSession, printTable, quantile } from './processes.js';

const TIMES = 25;
/** What is quicker is not told; milliseconds. */
const LEAST = 16;

function watchEvents(least) {
  window.events = [];
  const note = (list) => window.events.push(...list.getEntries().filter(({ interactionId }) => interactionId > 0));
  new PerformanceObserver(note).observe({ type: 'event', durationThreshold: least, buffered: true });
}

/** The longest of what somebody did, from the press to the paint; what is too quick to be told counts as that. */
async function longest(page, act) {
  await page.evaluate(() => (window.events.length = 0));
  await act();
  return page.evaluate(async (least) => {
    // Entries come a moment after the paint that they end with.
    for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
    return Math.max(least, ...window.events.map(({ duration }) => duration));
  }, LEAST);
}

const button = (page, name) => page.getByRole('button', { name });
const rows = '[data-list-scroll] [role="row"] a';

/** Each does one thing and ends where it began. */
const DEEDS = {
  'filter: open the statuses, take one, clear it': async (page) => {
    await button(page, /^Status/).click();
    await button(page, 'completed').click();
    await button(page, 'Clear status').click();
  },
  'sort: oldest first, newest first': async (page) => {
    await button(page, /^Created (?:UTC|local)/).click();
    await page.waitForURL(/order=asc/);
    await button(page, /^Created (?:UTC|local)/).click();
  },
  'open a row, next, close': async (page) => {
    await page.locator(rows).first().click();
    await button(page, 'Next deposit').click();
    await page.keyboard.press('Escape');
    await page.waitForURL(/deposits$/);
  },
  'find: open, three letters, close': async (page) => {
    await page.keyboard.press('/');
    await page.getByRole('combobox').pressSequentially('dep');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  },
};

const WITHDRAWAL = {
  Asset: 'ETH',
  Chain: 'ethereum',
  Amount: '0.01',
  'Destination address': '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};

async function review(page) {
  await button(page, 'Review withdrawal').click();
  await button(page, 'Send withdrawal').waitFor();
  await button(page, 'Back to the form').click();
  await button(page, 'Review withdrawal').waitFor();
}

export async function measureClicks(browser, { key }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([(await openSession(key)).cookie]);
  const page = await context.newPage();
  await page.addInitScript(watchEvents, LEAST);
  const found = [];
  const repeat = async (name, act) => {
    // The first time a part is read; after that it is there.
    await act(page);
    const took = [];
    for (let time = 0; time < TIMES; time += 1) took.push(await longest(page, () => act(page)));
    found.push([name, ms(quantile(took, 0.5)), ms(quantile(took, 0.98))]);
  };
  await page.goto(`${origin('product')}/deposits`);
  await page.locator(rows).first().waitFor();
  for (const [name, act] of Object.entries(DEEDS)) await repeat(name, act);
  await page.goto(`${origin('product')}/withdrawals/new`);
  for (const [label, text] of Object.entries(WITHDRAWAL)) await page.getByLabel(label, { exact: true }).fill(text);
  await repeat('review a withdrawal, and back', review);
  printTable(`From a click or a key to its paint, the longest of each, ${TIMES} times`, ['', 'median', 'p98'], found);
  await context.close();
}
