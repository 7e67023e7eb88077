import { rm } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { expect } from '#e2e/support/fixtures.ts';
import { expectSignedIn, invite, printedLink, rowOf, test as base, typeCode } from '#e2e/support/people.ts';
import { createAccount } from '#e2e/support/sandbox.ts';
import { SERVERS } from '#e2e/support/servers.ts';
import { CLIENT_ID, CLIENT_SECRET, startOidcProvider } from '#src/tests/oidcProvider.ts';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';

/** The test's own server, where people sign in at a provider. */
const test = base.extend<object, { office: { origin: string; inviteAdmin: () => Promise<string> } }>({
  office: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures here
    async ({}, use) => {
      const { key } = await createAccount();
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const provider = await startOidcProvider({ redirectUri: `${origin}/session/oidc/callback` });
      const directory = await newDataDirectory('countinghouse-oidc');
      const env = {
        SIGN_IN: 'oidc',
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        PAYMENTS_BASE_URL: SERVERS.raw.origin,
        PAYMENTS_API_KEY: key,
        SESSION_SECRET: 'the secret of a test with a provider',
        PUBLIC_ORIGIN: origin,
        DATA_DIR: directory,
      };
      const server = await startDashboard(env, port);
      await use({ origin, inviteAdmin: () => printedLink({ PORT: String(port), ...env }) });
      await server.stop();
      await provider.stop();
      await rm(directory, { recursive: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ office }, use) => use(office.origin),
});

function leaveForProvider(page: Page) {
  return page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1:\d+$/ }).click();
}

/** Presses our button and types a name on the provider's own page, which knows this browser afterwards. */
async function signInAtProvider(page: Page, name: string) {
  await leaveForProvider(page);
  await page.getByLabel('Name at the provider').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('the first admin joins, invites a colleague and confirms their code @deep', async ({ device, office }) => {
  const ada = await device();
  const link = await office.inviteAdmin();
  await ada.page.goto(link);
  await expect(ada.page.getByText('Whoever runs the server')).toBeVisible();
  await expectClean(ada.page, 'join');
  await ada.page.getByLabel('Your name').fill('Ada');
  await signInAtProvider(ada.page, 'sub-ada');
  await expectSignedIn(ada);

  await ada.page.goto('/account');
  await expect(ada.page.getByText('None yet. You need one to approve or to manage people.')).toBeVisible();
  await ada.page.getByRole('button', { name: 'Add a passkey' }).click();
  await ada.page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(ada.page.getByRole('table', { name: 'Passkeys' }).getByRole('row')).toHaveCount(2);

  const bo = await device({ viewport: { width: 375, height: 740 } });
  await bo.page.goto(await invite(ada, 'Bo', ['Approver']));
  await signInAtProvider(bo.page, 'sub-bo');
  await expect(bo.page.getByRole('heading', { name: 'Read this code to an admin' })).toBeFocused();
  expect(new URL(bo.page.url()).pathname).toBe('/join');
  const code = (await bo.page.getByLabel('Your code').innerText()).replaceAll(/\D/g, '');
  await typeCode(ada, 'Bo', code);
  await expect(rowOf(ada, 'Bo')).toContainText('Active');

  await bo.page.goto('/deposits');
  await leaveForProvider(bo.page);
  await expect(bo.page.getByRole('heading', { level: 1, name: 'Deposits' })).toBeVisible();

  // The first passkey must be confirmed by an admin, too.
  await bo.page.goto('/account');
  await bo.page.getByRole('button', { name: 'Add a passkey' }).click();
  await bo.page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(bo.page.getByRole('dialog', { name: 'Read this code to an admin' })).toBeVisible();
  await expectClean(bo.page, 'first passkey');
  await typeCode(ada, 'Bo', (await bo.page.getByLabel('Your code').innerText()).replaceAll(/\D/g, ''));
  await expect(rowOf(ada, 'Bo')).toContainText('Active');
});

test('a person without an invite is shown the id to give to an admin @deep', async ({ device }) => {
  const eve = await device();
  await eve.page.goto('/sign-in');
  await signInAtProvider(eve.page, 'sub-eve');
  await expect(eve.page.getByRole('alert')).toContainText('You don’t have access yet.');
  await expect(eve.page.getByText('sub-eve')).toBeVisible();
  await expectClean(eve.page, 'unknown');
});
