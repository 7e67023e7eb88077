import { expect, setHidden } from '#e2e/support/fixtures.ts';
import { addColleague, type Device, test, uniqueName } from '#e2e/support/people.ts';

test.describe.configure({ mode: 'default' });
test.setTimeout(90_000);

/** An idle page polls every 15 seconds. */
const COMING_BACK = { timeout: 20_000 };

/** Signs in on the page that was shown when the session ended. */
async function signInAgain({ page }: Device) {
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New withdrawal' })).toBeVisible();
}

test('a half-typed withdrawal survives the end of an idle session, but only for the person who typed it @deep', async ({
  admin,
  device,
  team,
}) => {
  const bo = await addColleague(admin, device, uniqueName('Bo'), ['Operator']);
  bo.expectConsole(/401|ERR_CONNECTION_/);
  // Otherwise this page would lose its session, too.
  await admin.page.close();
  const { page, passkeys } = bo;
  const amount = page.getByLabel('Amount', { exact: true });
  const asset = page.getByLabel('Asset', { exact: true });
  await page.goto('/withdrawals/new');
  await asset.fill('BTC');
  await page.getByLabel('Chain', { exact: true }).fill('bitcoin');
  await amount.fill('0.25');

  // Prevents requests from failing while the server restarts.
  await page.waitForLoadState('networkidle');
  await team.leaveIdle();
  // Bo comes back to the tab, unless a request of the page has already found the session ended.
  await setHidden(page, true);
  await setHidden(page, false);
  await expect(page.getByText('Your session ended. Sign in to return to New withdrawal.')).toBeVisible(COMING_BACK);
  await signInAgain(bo);
  await expect(page.getByText('Continuing your draft')).toBeVisible();
  await expect(asset).toHaveValue('BTC');
  await expect(amount).toHaveValue('0.25');

  // Another person signs in next in the same tab.
  await page.context().clearCookies();
  await page.reload();
  const key = await bo.plugIn();
  await key.add(team.ada.credential());
  await passkeys.setPresent(false);
  await signInAgain(bo);
  await expect(page.getByRole('button', { name: /^Account menu.*Ada/ })).toBeVisible();
  await expect(amount).toHaveValue('');
  await expect(asset).toHaveValue('');
  await expect(page.getByText('Continuing your draft')).toHaveCount(0);

  // Then Bo signs in again.
  await page.context().clearCookies();
  await page.reload();
  await passkeys.setPresent(true);
  await key.setPresent(false);
  await signInAgain(bo);
  await expect(amount).toHaveValue('0.25');
});
