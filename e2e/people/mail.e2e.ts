import type { Page } from 'playwright/test';
import { type ReceivedMail, startMailServer } from '#src/server/notices/testMailServer.ts';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { expect, test as base } from '#e2e/support/fixtures.ts';

interface Office {
  origin: string;
  /** Recipient and text of each message. */
  mails: () => { to: string; text: string }[];
}

/** The sandbox in people mode, with a mail server beside it. */
const test = base.extend<object, { office: Office }>({
  office: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants a destructured parameter.
    async ({}, use) => {
      const mail = await startMailServer();
      const port = await freePort();
      const env = {
        SIGN_IN: 'passkey',
        DATA_DIR: 'memory',
        SANDBOX_DEPOSITS: '40',
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        NOTIFY_FROM: 'Money <notices@money.example>',
      };
      const server = await startDashboard(env, port);
      const mails = () => mail.received.map(({ to, source }) => ({ to: to.join(), text: textOf(source) }));
      await use({ origin: `http://localhost:${port}`, mails });
      await server.stop();
      mail.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ office }, use) => use(office.origin),
});

test.describe.configure({ mode: 'default' });

/** Quoted-printable, decoded. */
function textOf(source: ReceivedMail['source']): string {
  const bytes = source
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

async function signInAs(page: Page, who: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByRole('button', { name: who }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
}

async function enterOwnAddress(page: Page, address: string): Promise<void> {
  await page.goto('/account');
  await page.getByLabel('E-mail address').fill(address);
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('E-mail address saved')).toBeAttached();
}

test('an admin enters an address, and a test by e-mail arrives there @deep', async ({
  visitor,
  expectConsole,
  office: { mails, origin },
}) => {
  expectConsole(/409/);
  await signInAs(visitor, 'Cy');
  await visitor.goto('/notices');
  await expect(visitor.getByText('No e-mail address: Ada, Bo, Cy and Di.')).toBeVisible();
  const channel = visitor.getByRole('table', { name: 'Channels' }).getByRole('row').filter({ hasText: 'E-mail' });
  await expect(channel).toContainText('Not used yet');
  await channel.getByRole('button', { name: 'Send test' }).click();
  await expect(visitor.getByText('You have no e-mail address here. Enter one under Your account.')).toBeVisible();
  await expectClean(visitor, 'notices with e-mail');

  await visitor.getByRole('link', { name: 'Your account' }).first().click();
  const field = visitor.getByLabel('E-mail address');
  await field.fill('cy at company');
  await visitor.getByRole('button', { name: 'Save address' }).click();
  await expect(field).toHaveAccessibleDescription(/Enter an address such as ada@company.example/);
  await enterOwnAddress(visitor, 'cy@company.example');
  await expectClean(visitor, 'your account with an e-mail address');
  await visitor.reload();
  await expect(field).toHaveValue('cy@company.example');

  await visitor.goto('/notices');
  await channel.getByRole('button', { name: 'Send test' }).click();
  await expect(channel).toContainText('Working');
  const tests = () => mails().filter(({ text }) => text.includes('This is a test.'));
  await expect.poll(() => tests().length).toBe(1);
  expect(tests()).toMatchObject([{ to: 'cy@company.example', text: expect.stringContaining(`${origin}/notices`) }]);
  await visitor.getByRole('button', { name: 'Delivered', exact: true }).click();
  const row = visitor.getByRole('table', { name: 'Notices' }).getByRole('row').filter({ hasText: 'This is a test.' });
  await expect(row).toContainText('To Cy');
});

test('when an admin changes a person’s address, the former address and the admins are notified @deep', async ({
  visitor,
  office: { mails },
}) => {
  await signInAs(visitor, 'Cy');
  await enterOwnAddress(visitor, 'cy@company.example');
  await visitor.goto('/people');
  await visitor.getByRole('button', { name: 'Manage Bo' }).click();
  const dialog = visitor.getByRole('dialog');
  for (const address of ['bo@company.example', 'bo@elsewhere.example']) {
    await dialog.getByRole('button', { name: 'Change e-mail' }).click();
    await dialog.getByLabel('E-mail address').fill(address);
    await dialog.getByRole('button', { name: 'Save address' }).click();
    await expect(dialog.getByRole('definition').filter({ hasText: address })).toBeVisible();
  }
  await expectClean(visitor, 'a person with an e-mail address');
  const told = () => mails().filter(({ text }) => text.includes('The e-mail address of Bo was changed.'));
  await expect
    .poll(() =>
      told()
        .map(({ to }) => to)
        .toSorted(),
    )
    .toEqual(['bo@company.example', 'cy@company.example', 'cy@company.example']);
  await visitor.goto('/activity');
  await expect(visitor.getByRole('row').filter({ hasText: 'Changed the e-mail address of Bo' })).toHaveCount(2);
});
