import type { BrowserContext } from 'playwright/test';

/**
 * Adds a server's cookies to a context. Playwright drops a Secure cookie from http://localhost and http://127.0.0.1, which
 * browsers accept. So they are set for https: cookies ignore the scheme and port here.
 */
export async function addSecureCookies(
  context: BrowserContext,
  origin: string,
  cookies: Iterable<[string, string]>,
): Promise<void> {
  const url = origin.replace('http:', 'https:');
  await context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true, secure: true, sameSite: 'Strict' })),
  );
}
