// Work over a whole list in the browser, compared with the bare requests: duration, longest task, memory left behind.
import { ask, median, ms, openSession, origin, printTable, timed, times } from './processes.js';

const SEARCHED = '0x' + 'f'.repeat(64);

/** Requests all pages of 100 in sequence and discards them. */
async function walkBare({ path, account }) {
  for (let cursor = ''; ;) {
    const answer = await fetch(`${path}?limit=100${cursor}`, { headers: { 'X-Account': account } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    const { next_cursor: next } = await answer.json();
    if (next === null) return;
    cursor = `&starting_after=${encodeURIComponent(next)}`;
  }
}

const EXPORT = {
  at: '/deposits',
  lists: ['deposits'],
  prepare: async (page) => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'CSV' }).click();
  },
  begin: (page) => page.getByRole('button', { name: 'Start export' }).click(),
  event: 'click',
  end: () => /rows exported \(complete\)/.test(document.body.textContent),
};

const SERVICE_MS = 20;

const WORK = {
  'export of the deposits': EXPORT,
  'month close': {
    at: '/balances',
    lists: ['ledger-entries', 'deposits', 'withdrawals'],
    rounds: 1,
    begin: (page) =>
      page.evaluate(
        (before) => {
          history.pushState(null, '', `/month-close?created_after=0&created_before=${before}`);
          dispatchEvent(new PopStateEvent('popstate'));
        },
        Math.floor(Date.now() / 1000),
      ),
    event: 'popstate',
    end: () => document.querySelector('table[aria-label="Sums by asset"]') !== null,
  },
  'search for a hash': {
    at: '/balances',
    lists: ['deposits', 'withdrawals'],
    prepare: (page) => page.keyboard.press('Control+k'),
    begin: (page) => page.getByRole('combobox', { name: 'Search payments, addresses, hashes' }).fill(SEARCHED),
    event: 'input',
    end: () => /No match in all/.test(document.body.textContent),
  },
  'chart of all deposits': {
    at: '/deposits?created_after=1',
    lists: ['deposits'],
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Chart', exact: true }).click();
      await page
        .getByRole('region', { name: /^Deposits per/ })
        .getByRole('button', { name: 'Load all' })
        .waitFor();
    },
    begin: (page) =>
      page
        .getByRole('region', { name: /^Deposits per/ })
        .getByRole('button', { name: 'Load all' })
        .click(),
    event: 'click',
    end: () => /All [\d,]+ loaded/.test(document.body.textContent),
  },
  // Must be last, because the service stays slow from here on.
  [`export, the service takes ${SERVICE_MS} ms`]: { ...EXPORT, rounds: 3, delay: SERVICE_MS },
};

async function heapOf(devtools) {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}

/** Sets `window.took` to the ms from an event until `isEnded`. In the page, because polling from outside would disturb the measurement. */
function watchWork(event, isEnded) {
  window.took = new Promise((done, failed) => {
    setTimeout(() => failed(new Error('It does not end.')), 300_000);
    const begin = () => {
      const began = performance.now();
      const observer = new MutationObserver(() => {
        if (!isEnded()) return;
        observer.disconnect();
        done(performance.now() - began);
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    };
    addEventListener(event, begin, { capture: true, once: true });
  });
}

/** Time to request all pages of some lists, in ms. */
async function bareOf(page, lists, account) {
  const [took] = await timed(1, async () => {
    for (const list of lists) await page.evaluate(walkBare, { path: `/v1/${list}`, account });
  });
  return took;
}

/** One task on a page of its own, right after the bare requests, so that background load affects both. */
async function measureOne(browser, { account, cookie }, { at, lists, prepare, begin, event, end }) {
  // Start without remembered chart settings.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await page.goto(origin('product') + at);
  await page.locator('[data-list-scroll] [role="row"] a, main .amt').first().waitFor();
  const bare = await bareOf(page, lists, account);
  await prepare?.(page);
  const before = await heapOf(devtools);
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: 'longtask' });
  });
  await page.evaluate(`(${String(watchWork)})('${event}', ${String(end)})`);
  await begin(page);
  const took = await page.evaluate(() => window.took);
  const longest = await page.evaluate(() => window.longest);
  const grown = (await heapOf(devtools)) - before;
  await context.close();
  return { took, bare, longest, grown };
}

const ROUNDS = 5;

export async function measureWork(browser, { account, key }) {
  const session = await openSession(key);
  const rows = [];
  for (const [name, work] of Object.entries(WORK)) {
    // Alternate the order: the first one meets a cold server.
    if (rows.length === 0) await measureOne(browser, session, work);
    if (work.delay) {
      const slow = { account, method: 'GET', path: '/v1/', delay: work.delay, times: 1_000_000, when: 'after' };
      await ask('/sandbox/faults', { body: slow });
    }
    const rounds = [];
    while (rounds.length < (work.rounds ?? ROUNDS)) rounds.push(await measureOne(browser, session, work));
    const longest = Math.max(...rounds.map((round) => round.longest));
    rows.push([
      name,
      `${(median(rounds.map(({ took }) => took)) / 1000).toFixed(1)} s`,
      times(median(rounds.map(({ took, bare }) => took / bare))),
      longest === 0 ? '< 50 ms' : ms(longest),
      `${(median(rounds.map(({ grown }) => grown)) / 1e6).toFixed(1)} MB`,
    ]);
  }
  printTable('Long work', ['', 'took', 'of the bare requests', 'longest task', 'heap afterwards'], rows);
}
