import type { Page } from 'playwright/test';
import type { Account } from './sandbox.ts';
import { expect, postsOf } from './withdrawing.ts';

/** The exact request that the form previews. */
export async function previewOf(page: Page): Promise<string> {
  const beside = page.getByRole('complementary', { name: 'Beside the form' });
  return (await beside.getByRole('region', { name: 'Exactly what will be sent' }).locator('pre').textContent()) ?? '';
}

/** Checks that exactly one attempt reached the service, equal to the preview. */
export async function expectSentAs(account: Account, preview: string) {
  const posts = await postsOf(account);
  expect(
    posts.map(({ path, idempotency_key: key, body }) => `POST ${path}\nIdempotency-Key: ${key}\n\n${body}`),
  ).toEqual([preview]);
}
