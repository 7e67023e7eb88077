import { test as base, type BrowserContext, type Page } from 'playwright/test';
import { DEEP } from '#src/tests/depth.ts';
import { watch, type Watch } from './watch.ts';
import { ALONE, createAccount, type Account } from './sandbox.ts';
import { SERVERS } from './servers.ts';

export { expect } from 'playwright/test';

/** How the account of a test begins: `test.use({ seed: { deposits: 300, assets: 7 } })`. */
interface Options {
  seed: { deposits?: number; assets?: number };
}

interface Fixtures {
  /** A fresh account of the sandbox, and its controls. */
  account: Account;
  /** Another account of the same kind. */
  stranger: Account;
  /** A page of this context, signed in to the account by request. */
  page: Page;
  /** A page of this context before anybody signed in. */
  visitor: Page;
  /** Where the gateway of this test answers. */
  origin: string;
  /** Signs a context in by request, with the account's key or another, under a name or none. */
  signIn: (context: BrowserContext, key?: string, name?: string) => Promise<void>;
  /** A page of another browser, signed in to the same account, under this name or none. */
  colleague: (name?: string) => Promise<Page>;
  /** Lets console errors pass that match, such as the browser's own word on an answer of 500. */
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
      // Without a page, which would cost a renderer of its own. Playwright's own requests drop a Secure cookie of
      // http://127.0.0.1, which browsers take; it is set as one of https, and cookies know neither schemes nor ports here.
      const answer = await fetch(`${origin}/session`, {
        method: 'POST',
        headers: { ...ALONE, 'Content-Type': 'application/json', Origin: origin },
        body: JSON.stringify({ key, name: who }),
      });
      if (answer.status !== 201) throw new Error(`POST /session: ${answer.status} ${await answer.text()}`);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0] ?? '') ?? [];
      const url = origin.replace('http:', 'https:');
      await context.addCookies([{ name, value, url, httpOnly: true, secure: true, sameSite: 'Strict' }]);
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

/** What a person does who looks at another tab; Playwright shows all pages always. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    hidden ? 'hidden' : 'visible',
  );
}
