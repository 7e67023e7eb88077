// Counts the requests that the provider gets from an account whose people have Home open.
import { setTimeout as wait } from 'node:timers/promises';
import { ask, openSession, origin, printTable } from './processes.js';

const PEOPLE = 5;
const MINUTES = 3;
/** Enough time for the first reading, which goes weeks back, to end. */
const SETTLE_MS = 30_000;

export async function measureOverview(browser, { account, key }) {
  const contexts = [];
  for (let person = 0; person < PEOPLE; person += 1) {
    const { cookie } = await openSession(key);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([cookie]);
    const page = await context.newPage();
    await page.goto(origin('product'));
    await page.getByText('Latest activity').waitFor();
    contexts.push(context);
  }
  await wait(SETTLE_MS);
  const count = async () => (await ask(`/sandbox/requests?account=${account}`)).data.length;
  const before = await count();
  await wait(MINUTES * 60_000);
  const perMinute = ((await count()) - before) / MINUTES;
  for (const context of contexts) await context.close();
  printTable('The overview', ['', 'requests a minute'], [[`${PEOPLE} people with Home open`, perMinute.toFixed(1)]]);
}
