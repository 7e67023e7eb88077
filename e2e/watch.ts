import type { BrowserContext, ConsoleMessage, Page } from 'playwright/test';

/** What a test may not leave behind in the browser. */
export interface Watch {
  /** Lets console errors pass whose text or address matches. */
  expectConsole(pattern: RegExp): void;
  /** Throws with everything that was reported and not expected. */
  verify(): void;
}

/** Watches all pages of a context, those that are opened later included. */
export async function watch(context: BrowserContext): Promise<Watch> {
  const expected: RegExp[] = [];
  const found: string[] = [];
  // The binding outlives navigations; the listener is there before the page's first script.
  await context.exposeBinding('reportPolicyViolation', (_source, text: string) => void found.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const text = `CSP: ${event.effectiveDirective} blocked ${event.blockedURI || event.sample} at ${event.sourceFile}:${event.lineNumber}`;
      const report: unknown = Reflect.get(window, 'reportPolicyViolation');
      if (typeof report === 'function') report(text);
    });
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
