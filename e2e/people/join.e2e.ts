import { expectClean } from '#e2e/support/axe.ts';
import {
  addColleague,
  expectSignedIn,
  invite,
  joinBy,
  openUntilSignedOut,
  rowOf,
  signIn,
  test,
  typeCode,
  uniqueName,
} from '#e2e/support/people.ts';
import { expect } from '#e2e/support/fixtures.ts';

test.describe.configure({ mode: 'default' });

test('an invite’s link leaves no trace in the browser and works once @deep', async ({ admin, device, team }) => {
  const cy = await device();
  const { page } = cy;
  const name = uniqueName('Cy');
  const link = await team.inviteAdmin();
  const token = link.slice(link.indexOf('#') + 1);
  await page.goto(link);
  await expect(page.getByText('Whoever runs the server')).toBeVisible();
  await expect(page.getByText('Operator and admin')).toBeVisible();
  expect(page.url()).toBe(`${team.origin}/join`);
  await expectClean(page, 'join');
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByLabel('Your name')).toHaveAccessibleDescription(/Enter a name/);
  await page.getByLabel('Your name').fill(name);
  await page.keyboard.press('Enter');
  // There is an admin already, who confirms this one too.
  await expect(page.getByLabel('Your code')).toBeVisible();
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]));
  expect(stored).not.toContain(token);
  await admin.page.goto('/people');
  await expect(rowOf(admin, name)).toContainText('Waiting for code');

  cy.expectConsole(/404/);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link was already used' })).toBeVisible();
});

test('an invited colleague has access once an admin typed their code', async ({ admin, device }) => {
  const name = uniqueName('Bo');
  const bo = await device({ viewport: { width: 375, height: 740 } });
  const code = await joinBy(bo, await invite(admin, name, ['Approver']));
  await expectClean(bo.page, 'code');

  bo.expectConsole(/403/);
  await bo.page.getByRole('link', { name: 'Sign in' }).click();
  await bo.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(bo.page.getByRole('alert')).toContainText('An admin has to type your code first');

  admin.expectConsole(/422/);
  await typeCode(admin, name, code === '000000' ? '111111' : '000 000');
  await expect(admin.page.getByRole('alert')).toContainText('4 tries left');
  await admin.page.getByLabel('Six-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await admin.page.getByRole('button', { name: 'Confirm code' }).click();
  await expect(admin.page.getByLabel('Six-digit code')).toHaveCount(0);
  await expect(rowOf(admin, name)).toContainText('Active');

  await signIn(bo);
  await expectSignedIn(bo);
  await bo.page.goto('/people');
  await expect(bo.page.getByRole('button', { name: 'Invite', exact: true })).toHaveAccessibleDescription(
    'Only an admin can manage people.',
  );
  await expectClean(bo.page, 'people');
});

test('a link that doesn’t work says what to do @deep', async ({ admin, device }) => {
  const name = uniqueName('Bo');
  const bo = await device();
  bo.expectConsole(/404/);
  await bo.page.goto('/join#wrong');
  await expect(bo.page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
  const link = await invite(admin, name);
  await admin.page.getByRole('button', { name: `Manage ${name}` }).click();
  await admin.page.getByRole('button', { name: 'Revoke invite' }).click();
  await expect(rowOf(admin, name)).toContainText('Blocked');
  // In the same tab only the fragment changes, and the page is not loaded again.
  await bo.page.goto(link);
  await expect(bo.page.getByRole('heading', { name: 'This link was revoked or replaced' })).toBeVisible();
  await bo.page.reload();
  await expect(bo.page.getByRole('heading', { name: 'Open your invite link again' })).toBeVisible();
});

test('another person’s session is ended before a passkey is created @deep', async ({ admin }) => {
  const name = uniqueName('Bo');
  const { page } = admin;
  const link = await invite(admin, name);
  await page.goto(link);
  await expect(page.getByText('Ada is signed in in this browser.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create a passkey' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign out Ada' }).click();
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByLabel('Your code')).toHaveText(/^\d{3}\s*\d{3}$/);
});

test('cancelling the browser’s dialog is no error, and the link still works @deep', async ({ admin, device }) => {
  const name = uniqueName('Bo');
  const bo = await device();
  await bo.passkeys.setVerified(false);
  await bo.page.goto(await invite(admin, name));
  await bo.page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(bo.page.getByText('Cancelled. No passkey was created, and the link still works.')).toBeVisible();
  await bo.passkeys.setVerified(true);
  await bo.page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(bo.page.getByLabel('Your code')).toBeVisible();
});

test('after lost passkeys a new invite replaces them @deep', async ({ admin, device }) => {
  const name = uniqueName('Bo');
  const lost = await addColleague(admin, device, name, ['Operator']);
  await admin.page.goto('/people');
  await admin.page.getByRole('button', { name: `Manage ${name}` }).click();
  await admin.page.getByRole('button', { name: 'New invite' }).click();
  const link = await admin.page.getByLabel('Invite link').inputValue();
  const found = await device();
  await typeCode(admin, name, await joinBy(found, link));
  await expect(admin.page.getByLabel('Six-digit code')).toHaveCount(0);
  await signIn(found);
  await expectSignedIn(found);

  lost.expectConsole(/401|403/);
  await openUntilSignedOut(lost);
  await lost.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(lost.page.getByRole('alert')).toContainText('This passkey isn’t known here, or has ended');
});
