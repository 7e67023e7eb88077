// Cost of a frame while scrolling, of appending a page, and memory, at several list lengths.
import { ms, origin, printTable, quantile, openSession } from './processes.js';

const LENGTHS = [100, 10_000, 100_000];
const FRAMES = 120;
const CPU_SLOWDOWN = 4;
/** Rows loaded before appending is measured. */
const APPENDING = 1_000;
const STEPS = { scrolling: 24, flinging: 2_400 };

/** Scrolls to the end until the list has this many rows; returns the time from each scroll to its new rows. */
function growTo(rows) {
  const scroller = document.querySelector('[data-list-scroll]');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const height = () =>
    document.querySelector('[data-list-scroll] [role="row"]:nth-last-child(1)').getBoundingClientRect().height;
  return (async () => {
    const took = [];
    const row = height();
    while (scroller.scrollHeight / row < rows) {
      const before = scroller.scrollHeight;
      const start = performance.now();
      scroller.scrollTop = before;
      while (scroller.scrollHeight === before) {
        if (performance.now() - start > 30_000) throw new Error(`No more rows after ${before / row}.`);
        await frame();
      }
      took.push(performance.now() - start);
    }
    return took;
  })();
}

/** The longest task while twenty pages are appended, in ms. */
async function longestAppend(page, devtools, rate) {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  await page.evaluate(() => {
    window.longest = 50;
    window.tasks = new PerformanceObserver((list) => {
      window.longest = Math.max(window.longest, ...list.getEntries().map(({ duration }) => duration));
    });
    window.tasks.observe({ type: 'longtask' });
  });
  const now = await page.evaluate(() => document.querySelector('[data-list-scroll]').scrollHeight);
  const row = await page.evaluate(() => document.querySelector('[data-list-scroll] [data-at]').offsetHeight);
  await page.evaluate(growTo, now / row + 1_000);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return page.evaluate(() => {
    window.tasks.disconnect();
    return window.longest;
  });
}

/** Scrolls the list by a constant step per frame; returns the frame times. */
function move({ step, frames }) {
  const scroller = document.querySelector('[data-list-scroll]');
  const span = scroller.scrollHeight - scroller.clientHeight;
  // Up and down in the middle: near the end the next page would be loaded.
  const low = span * 0.1;
  const high = span * 0.6;
  return new Promise((done) => {
    const took = [];
    let at = low;
    let by = step;
    let last = performance.now();
    const next = (now) => {
      took.push(now - last);
      last = now;
      if (took.length > frames) return done(took.slice(1));
      if (at + by > high || at + by < low) by = -by;
      at += by;
      scroller.scrollTop = at;
      return requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}

/** Number of DOM elements per 25 rows. */
function elements() {
  const rows = document.querySelectorAll('[data-list-scroll] [role="row"]');
  return (document.querySelectorAll('[data-list-scroll] *').length / rows.length) * 25;
}

async function workOf(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

export async function measureRows(browser, { key }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([(await openSession(key)).cookie]);
  const page = await context.newPage();
  await page.goto(`${origin('product')}/deposits`);
  await page.locator('[data-list-scroll] [role="row"] a').first().waitFor();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const rows = [];
  let longest = '';
  for (const length of LENGTHS) {
    const appends = await page.evaluate(growTo, length);
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const cells = [];
    for (const step of Object.values(STEPS)) {
      const before = await workOf(devtools);
      const frames = await page.evaluate(move, { step, frames: FRAMES });
      cells.push(ms(quantile(frames, 0.95)), ms(((await workOf(devtools)) - before) / FRAMES));
    }
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    rows.push([
      length.toLocaleString('en'),
      ...cells,
      appends.length > 0 ? ms(quantile(appends.slice(-200), 0.95)) : '–',
      `${(usedSize / 1e6).toFixed(1)} MB`,
    ]);
    if (length > APPENDING || longest !== '') continue;
    await page.evaluate(growTo, APPENDING);
    longest = `${ms(await longestAppend(page, devtools, 1))}; ${ms(await longestAppend(page, devtools, CPU_SLOWDOWN))}`;
  }
  const head = [
    'rows',
    ...Object.keys(STEPS).flatMap((how) => [`frame p95 ${how}`, 'work a frame']),
    'append p95',
    'heap',
  ];
  printTable(`Rows in motion: CPU ${CPU_SLOWDOWN}× slower (appends at full speed)`, head, rows);
  console.log(
    `\nLongest task while pages are appended, from ${APPENDING} rows on: ${longest} with the CPU ${CPU_SLOWDOWN}× slower`,
  );
  console.log(`\nElements of 25 rows: ${(await page.evaluate(elements)).toFixed(0)}`);
  await context.close();
}
