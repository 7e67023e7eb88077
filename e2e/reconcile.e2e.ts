import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { inAccountMenu } from './accountMenu.ts';
import { expectClean } from './axe.ts';
import { allDeposits } from './depositList.ts';
import { expect, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import type { Account } from './sandbox.ts';

// Nothing but what each test makes: seeded deposits would be young, or settle by themselves.
test.use({ seed: { deposits: 0, assets: 3 } });

const readNew = (page: Page) => page.getByRole('button', { name: 'Read new deposits' });
const found = (page: Page) => page.getByRole('region', { name: 'Since the checkpoint' });
const statementRows = (page: Page) => page.getByRole('table', { name: 'Statements' }).getByRole('row');

/** A deposit that is old enough to be stated. */
async function depositBefore(account: Account) {
  await account.deposit({
    asset: 'ETH',
    chain: 'ethereum',
    amount: '1',
    created_at: Math.floor(Date.now() / 1000) - 600,
  });
}

async function begin(page: Page, name: string) {
  await page.goto('/reconcile');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

async function state(page: Page, number: number) {
  await readNew(page).click();
  await page.getByRole('button', { name: 'Set checkpoint here' }).click();
  await expect(statementRows(page)).toHaveCount(number + 1);
}

/** The lines of a statement as it is downloaded, without its head. */
async function linesOf(page: Page, number: number): Promise<string[][]> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: `Statement ${number} as CSV` }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  return text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','));
}

test('three runs with deposits in between, one late, and a tab killed in the middle: each deposit in exactly one statement', async ({
  page,
  context,
  account,
}) => {
  const deposit = (amount: string, age: number, status = 'completed') =>
    account.deposit({ asset: 'BTC', chain: 'bitcoin', amount, status, created_at: now() - age });
  const now = () => Math.floor(Date.now() / 1000) + passed;
  let passed = 0;
  const pass = async (seconds: number) => {
    await account.advance(seconds);
    passed += seconds;
  };
  const { id: pending } = await deposit('1', 4000, 'pending-review');
  await deposit('2', 300);
  await begin(page, 'Month close');
  await state(page, 1);

  await pass(1200);
  await deposit('3', 600);
  const { id: late } = await deposit('4', 2500);
  const { id: young } = await deposit('5', 30);
  await readNew(page).click();
  await expect(found(page)).toContainText('1 new, 1 late, 0 changed');
  await expect(found(page)).toContainText('1 younger than two minutes');
  // Killed before the checkpoint: nothing of it is kept, and the next run finds the same.
  await page.close();
  const again = await context.newPage();
  await again.goto('/reconcile');
  await expect(statementRows(again)).toHaveCount(2);
  await readNew(again).click();
  await expect(found(again)).toContainText('1 new, 1 late, 0 changed');
  await expectClean(again, 'what a run found');
  await again.getByRole('button', { name: 'Set checkpoint here' }).click();
  await expect(statementRows(again)).toHaveCount(3);

  await pass(7200);
  await deposit('6', 600);
  await readNew(again).click();
  await expect(found(again)).toContainText('2 new, 0 late, 0 changed');
  await again.getByRole('button', { name: 'Set checkpoint here' }).click();
  await expect(statementRows(again)).toHaveCount(4);
  await readNew(again).click();
  await expect(found(again)).toContainText('0 new, 0 late, 0 changed');
  await expect(again.getByRole('button', { name: 'Set checkpoint here' })).toHaveAttribute('aria-disabled', 'true');

  const lines = [...(await linesOf(again, 1)), ...(await linesOf(again, 2)), ...(await linesOf(again, 3))];
  const all = (await allDeposits(account)).map(({ id }) => id);
  expect(lines).toHaveLength(all.length);
  expect(new Set(lines.map((line) => line[2]))).toEqual(new Set(all));
  expect(lines.filter((line) => line[1] === 'late').map((line) => line[2])).toEqual([late]);
  expect(lines.find((line) => line[2] === young)?.[0]).toBe('3');
  expect(lines.find((line) => line[2] === pending)?.[0]).toBe('1');
});

test('a refused cursor stops with words, and nothing is stated @deep', async ({ page, account, expectConsole }) => {
  expectConsole(/400/);
  await depositBefore(account);
  await begin(page, 'Books');
  await state(page, 1);
  await account.fault({
    path: '/v1/deposits',
    times: 9,
    status: 400,
    body: '{"error":{"type":"t","code":"invalid_cursor","message":"No such cursor.","request_id":"req_1"}}',
  });
  await readNew(page).click();
  await expect(page.getByRole('heading', { name: 'The run stopped; nothing was stated' })).toBeVisible();
  await expect(page.getByText('invalid_cursor')).toBeVisible();
  await expect(statementRows(page)).toHaveCount(2);
});

test('two colleagues close at once: one does, the other is told who, and each deposit is stated once', async ({
  page,
  account,
  colleague,
  expectConsole,
}) => {
  expectConsole(/409/);
  await depositBefore(account);
  await begin(page, 'Books');
  const ben = await colleague('Ben');
  await ben.goto('/reconcile');
  for (const who of [page, ben]) {
    await readNew(who).click();
    await expect(found(who)).toContainText('1 new, 0 late, 0 changed');
  }
  await ben.getByRole('button', { name: 'Set checkpoint here' }).click();
  await expect(statementRows(ben)).toHaveCount(2);
  await expect(statementRows(ben).nth(1)).toContainText('Ben');
  await page.getByRole('button', { name: 'Set checkpoint here' }).click();
  await expect(found(page)).toContainText('Statement 1 was closed meanwhile by Ben.');
  await expect(statementRows(page)).toHaveCount(2);
  await depositBefore(account);
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(found(page)).toContainText(/1 new, 0 late|0 new, 1 late/);
  await page.getByRole('button', { name: 'Set checkpoint here' }).click();
  await expect(statementRows(page)).toHaveCount(3);
  const lines = [...(await linesOf(page, 1)), ...(await linesOf(page, 2))];
  expect(lines.map((line) => line[2]).toSorted(compare)).toEqual(
    (await allDeposits(account)).map(({ id }) => id).toSorted(compare),
  );
});

const compare = (a: string | undefined, b: string | undefined) => ((a ?? '') < (b ?? '') ? -1 : 1);

test('by keyboard alone: a book is begun, stated, hidden and removed @deep', async ({ page, account }) => {
  await depositBefore(account);
  await page.goto('/reconcile');
  const title = page.getByRole('heading', { level: 1, name: 'Reconcile' });
  const press = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }));
    await page.keyboard.press('Enter');
  };
  await expectClean(page, 'the beginning of a reconciliation');
  await tabTo(page, page.getByLabel('Name'));
  await page.keyboard.type('Month close');
  await page.keyboard.press('Enter');
  await expect(readNew(page)).toBeVisible();
  await expect(title).toBeFocused();
  await press('Read new deposits');
  await expect(found(page)).toContainText('1 new, 0 late, 0 changed');
  await expect(title).toBeFocused();
  await expect(found(page).getByRole('row', { name: /ETH/ })).toContainText('1 ETH');
  await inAccountMenu(page, 'Hide amounts');
  await expect(found(page).getByRole('row', { name: /ETH/ })).toContainText('•••••');
  await expect(found(page)).not.toContainText('1 ETH');
  const fileOf = async (button: string) => {
    const saved = page.waitForEvent('download');
    await press(button);
    return (await saved).path();
  };
  const draft = await readFile(await fileOf('Download draft'), 'utf8');
  await press('Set checkpoint here');
  await expect(statementRows(page)).toHaveCount(2);
  await expect(title).toBeFocused();

  expect(await readFile(await fileOf('Statement 1 as CSV'), 'utf8')).toBe(draft);
  const statement = JSON.parse(await readFile(await fileOf('Statement 1 as JSON'), 'utf8'));
  expect(statement).toMatchObject({
    number: 1,
    fresh: [{ id: (await allDeposits(account))[0]?.id, received_amount: '1' }],
    totals: [{ asset: 'ETH', status: 'completed', rows: 1, sum: '1', unreadable: 0 }],
  });
  await press('Remove');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Begin a reconciliation' })).toBeVisible();
});

test('the ledger beside it agrees, and a difference names its entries @deep', async ({ page, account }) => {
  await depositBefore(account);
  await begin(page, 'Books');
  await state(page, 1);
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.5' });
  await account.advance(300);
  await readNew(page).click();
  const ledger = page.getByRole('table', { name: 'Ledger and balances' });
  await expect(ledger.getByRole('row', { name: /BTC/ })).toContainText('Agrees');
  await page.getByRole('button', { name: 'Discard' }).click();
  // A balance that says less than the ledger.
  await account.fault({ path: '/v1/balances', times: 1, patch: { data: { 0: { total: '1', available: '1' } } } });
  await readNew(page).click();
  await expect(ledger).toContainText('Unexplained');
});
