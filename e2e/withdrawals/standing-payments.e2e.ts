import { expectClean } from '#e2e/support/axe.ts';
import { setHidden } from '#e2e/support/fixtures.ts';
import { tabTo } from '#e2e/support/keyboard.ts';
import { openBookWith } from '#e2e/support/recipients.ts';
import {
  addStanding,
  dayFromNow,
  due,
  fillStanding,
  goHome,
  openHome,
  saveStanding,
  setDay,
  standingRow,
} from '#e2e/support/standingPayments.ts';
import {
  BTC,
  bytesOf,
  ETH,
  expect,
  expectAccepted,
  faultOnPost,
  OPERATION,
  postsOf,
  sendButton,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

const OTHER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

test('a standing payment is due on Home until it has been prepared @deep', async ({ page, account }) => {
  test.setTimeout(120_000);
  await setDay(page);
  await page.goto('/standing-payments');
  await expect(page.getByText('No standing payments yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Save a standing payment' }).click();
  await expect(page.getByRole('combobox', { name: 'Name' })).toBeFocused();
  await fillStanding(page, 'Acme Hosting');
  await page.getByLabel('Reference').fill('Rent');
  await page.getByLabel('First date').fill(dayFromNow(3));
  await page.reload();
  await expect(page.getByLabel('First date')).toHaveValue(dayFromNow(3));
  await saveStanding(page);
  await expect(standingRow(page, 'Acme Hosting')).toContainText('in 3 days');
  await openHome(page);
  await expect(due(page)).toHaveCount(0);

  // The reminder starts two days before.
  await setDay(page, 1);
  await openHome(page);
  const line = due(page).getByRole('row').filter({ hasText: 'Acme Hosting' });
  await expect(line).toContainText('0.25 BTC to Acme Hosting');
  await expect(line).toContainText('due in 2 days');
  await expectClean(page, 'a standing payment that is due');
  await line.getByRole('link', { name: 'Prepare' }).click();
  await expect(page.getByLabel('Destination address')).toHaveValue(BTC.address);
  await expect(page.getByLabel('Amount')).toHaveValue(BTC.amount);
  await expect(page.getByLabel('Reference')).toHaveValue('Rent');
  await expect(page.getByText('Acme Hosting, due in 2 days.')).toBeVisible();

  // No payment has been recorded yet.
  await openHome(page);
  await line.getByRole('link', { name: 'Prepare' }).click();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
  await expect(page.getByText('Acme Hosting, due in 2 days.')).toBeVisible();
  // A reload leads back to the form, which still belongs to the standing payment.
  await page.reload();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(page).click();
  await expectAccepted(page);
  expect((await postsOf(account)).map(({ body }) => body)).toEqual([bytesOf(BTC)]);
  await goHome(page);
  await expect(due(page)).toHaveCount(0);
  await page.goto('/standing-payments');
  await expect(standingRow(page, 'Acme Hosting')).not.toContainText('in 2 days');
});

test('a payment whose response was lost is recorded, so its reminder ends @deep', async ({ page, account }) => {
  await setDay(page);
  await addStanding(page, 'Acme Hosting');
  await faultOnPost(account, { when: 'after', drop: true });
  await openHome(page);
  await due(page).getByRole('link', { name: 'Prepare' }).click();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await page.getByRole('link', { name: 'Standing payments' }).click();
  await expect(standingRow(page, 'Acme Hosting')).toContainText('in 7 days');
});

test('a payment to another address is not the one that was due @deep', async ({ page }) => {
  await setDay(page);
  await addStanding(page, 'Acme Hosting');
  await openHome(page);
  await due(page).getByRole('link', { name: 'Prepare' }).click();
  await page.getByLabel('Destination address').fill(OTHER);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(page).click();
  await expect(page).toHaveURL(OPERATION);
  await expectAccepted(page);
  await goHome(page);
  await expect(due(page)).toContainText('due today');
  await openHome(page);
  await expect(due(page)).toContainText('due today');
});

test('one date is skipped, and the skip is undone @deep', async ({ page, account }) => {
  await setDay(page);
  await addStanding(page, 'Acme Hosting');
  await setDay(page, 3);
  await openHome(page);
  await expect(due(page)).toContainText('Overdue');
  await expect(due(page)).toContainText('was due 3 days ago');
  await tabTo(page, due(page).getByRole('button', { name: /^Skip this time/ }));
  await page.keyboard.press('Enter');
  await expect(due(page).getByRole('row')).toHaveCount(0);
  await expect(due(page).getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(due(page)).toContainText('was due 3 days ago');
  await due(page)
    .getByRole('button', { name: /^Skip this time/ })
    .click();
  await expect(due(page)).toContainText('Skipped');
  await openHome(page);
  await expect(due(page)).toHaveCount(0);
  // The next date is still due.
  await setDay(page, 6);
  await openHome(page);
  await expect(due(page)).toContainText('due tomorrow');
  expect(await postsOf(account)).toEqual([]);
});

test('if two people skip or prepare the same date, the second sees what the first did @deep', async ({
  colleague,
  expectConsole,
}) => {
  const [ada, ben, cleo] = [await colleague('Ada'), await colleague('Ben'), await colleague('Cleo')];
  for (const page of [ada, ben, cleo]) await setDay(page);
  await addStanding(ada, 'Acme Hosting');
  for (const page of [ada, ben, cleo]) await openHome(page);
  await due(cleo).getByRole('link', { name: 'Prepare' }).click();
  await expect(cleo.getByText('Acme Hosting, due today.')).toBeVisible();
  // A page in the background doesn't poll.
  await setHidden(ben, true);
  await due(ada)
    .getByRole('button', { name: /^Skip this time/ })
    .click();
  await expect(due(ada)).toContainText('Skipped');
  expectConsole(/409/);
  await due(ben)
    .getByRole('button', { name: /^Skip this time/ })
    .click();
  await expect(due(ben)).toContainText('A colleague changed this meanwhile.');
  await expect(due(ben)).toContainText('by Ada');
  await expect(due(ben).getByRole('row')).toHaveCount(0);
  await cleo.reload();
  await expect(cleo.getByText('Somebody already prepared or skipped this one.')).toBeVisible();
});

test('if two people edit a standing payment, the second keeps the first one’s address @deep', async ({
  colleague,
  expectConsole,
}) => {
  const [ada, ben] = [await colleague('Ada'), await colleague('Ben')];
  for (const page of [ada, ben]) await setDay(page);
  await addStanding(ada, 'Acme Hosting');
  await ben.goto('/standing-payments');
  await ben.getByRole('button', { name: 'Edit Acme Hosting' }).click();
  await ben.getByLabel('Amount', { exact: true }).fill('0.0777');
  await ada.getByRole('button', { name: 'Edit Acme Hosting' }).click();
  await ada.getByLabel('Address', { exact: true }).fill(OTHER);
  await saveStanding(ada);

  expectConsole(/409/);
  await ben.getByRole('button', { name: 'Save standing payment' }).click();
  const told = ben.getByRole('status').filter({ hasText: 'A colleague changed this meanwhile.' });
  await expect(told).toContainText(OTHER);
  await expect(ben.getByLabel('Address', { exact: true })).toHaveValue(OTHER);
  await expect(ben.getByLabel('Amount', { exact: true })).toHaveValue('0.0777');
  await saveStanding(ben);
  await ben.getByRole('button', { name: 'Edit Acme Hosting' }).click();
  await expect(ben.getByLabel('Address', { exact: true })).toHaveValue(OTHER);
  await expect(ben.getByLabel('Amount', { exact: true })).toHaveValue('0.0777');
});

test('a standing payment is changed, ended and brought back @deep', async ({ page }) => {
  await setDay(page);
  await addStanding(page, 'Acme Hosting');
  await page.getByRole('button', { name: 'New standing payment' }).click();
  await page.getByRole('button', { name: 'Save standing payment' }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveAccessibleDescription(/\S/);
  await page.getByLabel('First date').fill(dayFromNow(-1));
  await page.getByLabel('Amount', { exact: true }).focus();
  await expect(page.getByLabel('First date')).toHaveAccessibleDescription(/Choose today or a later day/);
  await expectClean(page, 'the form of a standing payment');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Edit Acme Hosting' }).click();
  await page.getByLabel('First date').fill('2031-02-28');
  await page.getByLabel('Repeats').click();
  await page.getByRole('option', { name: 'Every 3 months on the 28th' }).click();
  await expect(page.getByText('Next dates: 28 Feb 2031, 28 May 2031, 28 Aug 2031.')).toBeVisible();
  await page.getByLabel('Always on the month’s last day').check();
  await expect(page.getByText('Next dates: 28 Feb 2031, 31 May 2031, 31 Aug 2031.')).toBeVisible();
  await saveStanding(page);
  await expect(page.getByRole('button', { name: 'Edit Acme Hosting' })).toBeFocused();
  await expect(standingRow(page, 'Acme Hosting')).toContainText('28 Feb 2031');
  await expect(standingRow(page, 'Acme Hosting')).toContainText('Every 3 months on the month’s last day');

  await page.getByRole('button', { name: 'End Acme Hosting' }).click();
  await expect(page.getByText('No standing payments yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.reload();
  await expect(standingRow(page, 'Acme Hosting')).toContainText('28 Feb 2031');
});

test('a saved recipient fills in the form @deep', async ({ page }) => {
  await openBookWith(page, 'Acme Hosting');
  await page.goto('/standing-payments');
  await page.getByRole('button', { name: 'New standing payment' }).click();
  await page.getByRole('combobox', { name: 'Name' }).fill('acme');
  await page.getByRole('option', { name: /^Acme Hosting/ }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(ETH.address);
  await expect(page.getByLabel('Chain', { exact: true })).toHaveValue(ETH.chain);
});
