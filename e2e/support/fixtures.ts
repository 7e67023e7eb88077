import { test as base, type BrowserContext, type Page } from 'playwright/test';
import { DEEP } from '#src/tests/depth.ts';
import { watch, type Watch } from './watch.ts';
import { ALONE, createAccount, type Account } from './sandbox.ts';
import { addSecureCookies } from './secureCookies.ts';
import { SERVERS } from './servers.ts';

export { expect } from 'playwright/test';

/** The initial state of a test's account: `test.use({ seed: { deposits: 300, assets: 7 } })`. */
interface Options {
  seed: { deposits?: number; assets?: number };
}

interface Fixtures {
  /** A new sandbox account and its controls. */
  account: Account;
  /** Another account of the same kind. */
  stranger: Account;
  /** A page of this context, already signed in to the account. */
  page: Page;
  /** A page of this context that is not signed in. */
  visitor: Page;
  /** Origin of the gateway under test. */
  origin: string;
  /** Signs a context in by a request, by default with the account's key and without a name. */
  signIn: (context: BrowserContext, key?: string, name?: string) => Promise<void>;
  /** A page in another browser, signed in to the same account, by default without a name. */
  colleague: (name?: string) => Promise<Page>;
  /** Allows matching console errors, such as the browser's own message about a 500. */
  expectConsole: (pattern: RegExp) => void;
  watching: Watch;
}

function originFor(tags: readonly string[]): string {
  if (tags.includes('@read-only')) return SERVERS.R.origin;
  return (tags.includes('@forwarded') && !DEEP ? SERVERS.F : SERVERS.E).origin;
}

export const test = base.extend<Options & Fixtures>({
  seed: [{}, { option: true }],

  baseURL: async ({ baseURL }, use, { tags }) => use(baseURL ?? originFor(tags)),

  origin: async ({ baseURL }, use) => use(baseURL ?? ''),

  account: async ({ seed }, use) => use(await createAccount(seed)),

  stranger: async ({ seed }, use) => use(await createAccount(seed)),

  // Every context of a test fails it on a CSP report, a page error or an unexpected console error.
  watching: [
    async ({ context }, use) => {
      const watching = await watch(context);
      await use(watching);
      watching.verify();
    },
    { auto: true },
  ],

  expectConsole: async ({ watching }, use) => use((pattern) => watching.expectConsole(pattern)),

  signIn: async ({ origin, account }, use) =>
    use(async (context, key = account.key, who = '') => {
      // Not in a page, which would start another renderer.
      const answer = await fetch(`${origin}/session`, {
        method: 'POST',
        headers: { ...ALONE, 'Content-Type': 'application/json', Origin: origin },
        body: JSON.stringify({ key, name: who }),
      });
      if (answer.status !== 201) throw new Error(`POST /session: ${answer.status} ${await answer.text()}`);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0] ?? '') ?? [];
      await addSecureCookies(context, origin, [[name, value]]);
    }),

  colleague: async ({ browser, origin, signIn }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (name) => {
      const context = await browser.newContext({ baseURL: origin });
      contexts.push(context);
      await signIn(context, undefined, name);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },

  visitor: async ({ context }, use) => use(await context.newPage()),

  page: async ({ context, signIn }, use) => {
    await signIn(context);
    await use(await context.newPage());
  },
});

/** Simulates switching to another tab: in Playwright all pages are always visible. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true });
      // As a real one, it bubbles to the window, where TanStack Query listens.
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    hidden ? 'hidden' : 'visible',
  );
}
