import type { BrowserContext, ConsoleMessage, Page } from 'playwright/test';

/** Collects browser errors that fail a test. */
export interface Watch {
  /** Allows console errors whose text or URL matches. */
  expectConsole(pattern: RegExp): void;
  /** Throws if any unexpected error was reported, listing all. */
  verify(): void;
}

/** Watches all present and future pages of a context. */
export async function watch(context: BrowserContext): Promise<Watch> {
  const expected: RegExp[] = [];
  const found: string[] = [];
  // The binding survives navigations, and the listeners are added before the page's first script.
  await context.exposeBinding('reportFault', (_source, text: string) => void found.push(text));
  await context.addInitScript(() => {
    const report = (text: string) => {
      const told: unknown = Reflect.get(window, 'reportFault');
      if (typeof told === 'function') told(text);
    };
    document.addEventListener('securitypolicyviolation', (event) =>
      report(
        `CSP: ${event.effectiveDirective} blocked ${event.blockedURI || event.sample} at ${event.sourceFile}:${event.lineNumber}`,
      ),
    );
    // A removed element must pass its focus on: otherwise keyboard users would start again at the top of the page.
    const SOON = 1_500;
    let held: Element | null = null;
    let waiting = false;
    const hold = () => (held = document.activeElement === document.body ? null : document.activeElement);
    document.addEventListener('focusin', hold);
    // A click on plain text removes the focus on purpose.
    document.addEventListener('pointerdown', () => (held = null), true);
    document.addEventListener('click', hold, true);
    const look = () => {
      // A page that is still loading has nothing to focus yet.
      if (!document.querySelector('h1')) return void setTimeout(look, SOON);
      waiting = false;
      const gone = held?.isConnected === false ? held.outerHTML.slice(0, 200) : null;
      hold();
      if (gone !== null && held === null) report(`The focus fell to the body when this went: ${gone}`);
    };
    new MutationObserver(() => {
      if (waiting || held === null || held.isConnected) return;
      waiting = true;
      setTimeout(look, SOON);
    }).observe(document, { childList: true, subtree: true });
  });
  const follow = (page: Page) => {
    page.on('pageerror', (error) => found.push(`page error: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') found.push(`console: ${textOf(message)}`);
    });
  };
  for (const page of context.pages()) follow(page);
  context.on('page', follow);

  return {
    expectConsole: (pattern) => void expected.push(pattern),
    verify() {
      const left = found.filter((text) => !expected.some((pattern) => pattern.test(text)));
      if (left.length > 0) throw new Error(`The browser reported:\n${left.join('\n')}`);
    },
  };
}

function textOf(message: ConsoleMessage): string {
  const { url, lineNumber } = message.location();
  return `${message.text()} (${url}:${lineNumber})`;
}
