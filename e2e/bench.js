// Measures the built app's speed, as ratios within one run: npm run bench [names of parts]
import { chromium } from 'playwright';
import { findBrowser } from './browser.js';
import { measureBatches } from './bench/batches.js';
import { measureClicks } from './bench/clicks.js';
import { measureLoading } from './bench/load.js';
import {
  ask,
  median,
  ms,
  origin,
  PORTS,
  printTable,
  startProcess,
  startProduct,
  timed,
  times,
} from './bench/processes.js';
import { measureJobs } from './bench/jobs.js';
import { measureOverview } from './bench/overview.js';
import { measureRows } from './bench/rows.js';
import { measureNotices } from './bench/notices.js';
import { measureReads, measureSends } from './bench/server.js';
import { measureWork } from './bench/work.js';

const DEPOSITS = 100_000;

/** Alternating, so that background load affects both. */
async function deepPages({ key }) {
  let cursor = '';
  const bare = await timed(1, async () => {
    for (let page = 0; page < DEPOSITS / 100 - 1; page += 1) {
      const list = await ask(`/v1/deposits?limit=100${cursor}`, { key });
      cursor = `&starting_after=${encodeURIComponent(list.next_cursor)}`;
    }
  });
  const took = { first: [], last: [] };
  for (let i = 0; i < 40; i += 1) {
    took.first.push(...(await timed(1, () => ask('/v1/deposits?limit=25', { key }))));
    took.last.push(...(await timed(1, () => ask(`/v1/deposits?limit=25${cursor}`, { key }))));
  }
  const [first, last] = [median(took.first), median(took.last)];
  printTable(
    'The sandbox',
    ['', 'took'],
    [
      ['the first page', ms(first)],
      [`a page behind ${DEPOSITS.toLocaleString('en')} deposits`, `${ms(last)} (${times(last / first)})`],
      ['all of them, page after page', ms(bare[0])],
    ],
  );
}

async function withFloor(browser, account) {
  const floor = await startProcess('e2e/bench/floorServer.js', [PORTS.floor, origin('raw'), account.key]);
  try {
    await measureLoading(browser, account);
  } finally {
    await floor.stop();
  }
}

/** Parts that create data use their own account. */
const PARTS = {
  load: withFloor,
  rows: measureRows,
  work: measureWork,
  clicks: measureClicks,
  jobs: (_, account) => measureJobs(account),
  overview: measureOverview,
  pages: (_, account) => deepPages(account),
  sends: (_, account) => measureSends(account),
  notices: () => measureNotices(),
  batches: (browser) => measureBatches(browser),
  reads: () => measureReads(),
};

const chosenParts = process.argv.slice(2);
const product = await startProduct();
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (chosenParts.length > 0 && !chosenParts.includes(name)) continue;
    const account = await ask('/sandbox/accounts', { body: { deposits: DEPOSITS, assets: 7 } });
    await measure(browser, account);
  }
} finally {
  await browser.close();
  await product.stop();
}
