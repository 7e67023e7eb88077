import type { BrowserContext, BrowserContextOptions, Page } from 'playwright/test';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';
import { expect, test as base } from './fixtures.ts';
import { watch, type Watch } from './watch.ts';

/** One of the four people of the demo, as their button on the sign-in page begins. */
type DemoPerson = 'Ada' | 'Bo' | 'Cy' | 'Di';

interface DemoFixtures {
  /** A page in the person's own browser. `expected`: allowed console messages. */
  person: (who: DemoPerson, options?: BrowserContextOptions, expected?: RegExp) => Promise<Page>;
}

/** The sandbox in people mode, as `npm run demo:team` starts it. */
export const test = base.extend<DemoFixtures, { demo: string }>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants a destructured parameter.
    async ({}, use) => {
      const port = await freePort();
      const env = { SIGN_IN: 'passkey', DATA_DIR: 'memory', SANDBOX_DEPOSITS: '40' };
      const server = await startDashboard(env, port);
      await use(`http://localhost:${port}`);
      await server.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ demo }, use) => use(demo),

  person: async ({ browser, demo }, use) => {
    const opened: { context: BrowserContext; watching: Watch }[] = [];
    await use(async (who, options, expected) => {
      const context = await browser.newContext({ baseURL: demo, ...options });
      const watching = await watch(context);
      if (expected) watching.expectConsole(expected);
      opened.push({ context, watching });
      const page = await context.newPage();
      await signInAs(page, who);
      return page;
    });
    for (const { context } of opened) await context.close();
    for (const { watching } of opened) watching.verify();
  },
});

export async function signInAs(page: Page, who: DemoPerson): Promise<void> {
  await page.goto('/sign-in');
  await page.getByRole('button', { name: who }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
}
