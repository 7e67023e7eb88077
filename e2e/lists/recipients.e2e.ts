import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { choose } from '#e2e/support/choose.ts';
import { tabTo } from '#e2e/support/keyboard.ts';
import { LOOKED_AGAIN, LOOK_ALIKE, STRANGER, addByHand, entries, openBookWith } from '#e2e/support/recipients.ts';
import { BTC, ETH, expect, test } from '#e2e/support/withdrawing.ts';

async function importFile(page: Page, text: string, name = 'suppliers.csv') {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import CSV or JSON' }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
}

const csv = (...lines: string[]) => ['name,chain,address', ...lines].join('\r\n');

test('if recipients can’t be loaded, the page doesn’t say that there are none @deep', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/503/);
  await page.route('**/api/team/recipients**', (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/recipients');
  await expect(page.getByText('Couldn’t load recipients')).toBeVisible();
  await expect(page.getByText(/0 recipients|No recipients yet/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Export CSV' })).toHaveAccessibleDescription(
    /^Recipients aren’t loaded/,
  );
  await page.unroute('**/api/team/recipients**');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No recipients yet.')).toBeVisible();
});

test('an address is added, found, renamed, removed and brought back', async ({ page }) => {
  await page.goto('/balances');
  await page.getByRole('link', { name: 'Recipients' }).click();
  await expect(page.getByText('0 recipients, shared with your team')).toBeVisible();
  await page.getByRole('button', { name: 'Save a recipient' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await addByHand(page, ' Acme ');
  await expect(page.getByText('1 recipient, shared with your team')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Saved recipients' })).toBeFocused();
  await page.getByRole('searchbox').fill('bitc beta');
  await expect(page.getByText('0 found')).toBeVisible();
  await addByHand(page, 'Beta', BTC.chain, BTC.address);
  await expect(page.getByRole('searchbox')).toHaveValue('bitc beta');
  await expect(entries(page)).toHaveText(/Beta/);
  await expect(page.getByText('1 found')).toBeVisible();
  await page.getByRole('searchbox').fill('');

  await page.getByRole('button', { name: 'New recipient' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Gamma');
  await page.reload();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Gamma');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Edit Acme' }).click();
  await page.getByLabel('Name', { exact: true }).fill(' ');
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/Enter a name/);
  await page.getByLabel('Name', { exact: true }).fill('Zeta');
  await page.keyboard.press('Enter');
  await expect(entries(page).nth(1)).toContainText('Zeta');
  await expect(page.getByRole('button', { name: 'Edit Zeta' })).toBeFocused();

  await page.getByRole('button', { name: 'Remove Zeta' }).click();
  await expect(entries(page)).toHaveCount(1);
  await page.reload();
  await expect(entries(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove Beta' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.reload();
  await expect(entries(page)).toContainText(['Beta']);
});

test('in a window of any width names are not broken within a word, and every button is visible @deep', async ({
  page,
}) => {
  await openBookWith(page, 'Acme Hosting');
  await page.getByRole('button', { name: 'Edit Acme Hosting' }).click();
  await page.getByLabel('Reference (optional)').fill('INV-2026-000123, hosting of October');
  await page.getByRole('button', { name: 'Save recipient' }).click();
  const row = entries(page);
  await expect(row).toContainText('hosting of October');
  for (const width of [375, 900, 1024, 1100, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const name = row.getByText('Acme Hosting', { exact: true });
    await expect.poll(async () => (await name.boundingBox())?.height, { message: `${width} px` }).toBeLessThan(30);
    await expect(row.getByRole('button', { name: 'Remove Acme Hosting' })).toBeInViewport({ ratio: 1 });
  }
});

test('the form takes the focus when it opens, unless someone is already typing @deep', async ({ page }) => {
  await page.addInitScript(() => {
    const soon = window.setTimeout.bind(window);
    const late = (work: () => void, ms?: number) => soon(work, ms ?? 500);
    Object.assign(window, { setTimeout: late });
  });
  await page.goto('/recipients');
  await page.getByRole('button', { name: 'New recipient' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Acme');
  await page.getByLabel('Chain', { exact: true }).fill(ETH.chain);
  await page.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve)));
  await expect(page.getByLabel('Chain', { exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await expect(page.getByLabel('Address', { exact: true })).toBeFocused();
  await page.getByLabel('Name', { exact: true }).fill('Zeta');
  await page.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve)));
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
});

test('addresses that a withdrawal would refuse are refused here, and so are those already saved @deep', async ({
  page,
}) => {
  await openBookWith(page, 'Acme');
  const address = page.getByLabel('Address', { exact: true });
  await addByHand(page, 'Acme', 'ethereum', BTC.address);
  await expect(address).toHaveAccessibleDescription(/Bitcoin/);
  await expect(page.getByText('Another address has this name.')).toBeVisible();
  await address.fill(`bitcoin:${BTC.address}`);
  await expect(address).toHaveAccessibleDescription(/link is for Bitcoin, and the chain here is Ethereum/);
  await address.fill(ETH.address.toLowerCase());
  await expect(address).toHaveAccessibleDescription(/Already saved as “Acme”/);
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await expect(entries(page)).toHaveCount(1);
  await address.fill(STRANGER);
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await expect(entries(page)).toHaveCount(2);
});

test('an import shows which lines it would add and why not the others, and adds nothing silently @deep', async ({
  page,
}) => {
  await openBookWith(page, 'Acme');
  await importFile(
    page,
    csv(
      `Beta,bitcoin,${BTC.address}`,
      `Acme,ethereum,${STRANGER}`,
      `Acme again,eth,${ETH.address.toLowerCase()}`,
      `Gamma,ethereum,${LOOK_ALIKE}`,
      'Delta,bitcoin,nonsense',
      `\u202Egnp.exe,bitcoin,1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2`,
      `${'x'.repeat(1_000)},bitcoin,1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2`,
      `'=HYPERLINK(1),bitcoin,1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2`,
    ),
  );
  const can = page.getByRole('list', { name: 'Can be added' }).getByRole('listitem');
  const left = page.getByRole('list', { name: 'Left out' }).getByRole('listitem');
  await expect(can).toHaveCount(3);
  await expect(can.nth(0).getByRole('checkbox')).toBeChecked();
  await expect(can.nth(1)).toContainText('Another address has this name on this chain.');
  await expect(can.nth(1).getByRole('checkbox')).not.toBeChecked();
  await expect(can.nth(2)).toContainText('=HYPERLINK(1)');
  await expect(left).toContainText([
    /Line 4.*Already saved as “Acme”/,
    /Line 5.*begins and ends like “Acme”/,
    /Line 6.*not a Bitcoin address/,
    /Line 7.*⟨U\+202E⟩gnp\.exe.*invisible character/,
    /Line 8.*Show all 1,000 characters.*longer than 100/,
  ]);
  await expect(entries(page)).toHaveCount(1);
  await expectClean(page, 'the preview of an import');
  await can.nth(2).getByRole('checkbox').uncheck();
  await page.getByRole('button', { name: 'Add 1 recipient' }).click();
  await expect(page.getByText('1 recipient added.')).toBeVisible();
  await expect(entries(page)).toContainText(['Acme', 'Beta']);

  // A look-alike can only be added manually, after a comparison.
  await importFile(page, csv(`Gamma,ethereum,${LOOK_ALIKE}`));
  await expect(page.getByRole('button', { name: 'Add 0 recipients' })).toHaveAccessibleDescription(
    'Nothing is selected.',
  );
  await page.getByRole('button', { name: 'Compare and add manually' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Gamma');
  await expect(page.getByText('Acme', { exact: true }).last()).toBeVisible();
});

test('columns with other names are matched manually before the review @deep', async ({ page }) => {
  await page.goto('/recipients');
  const lines = [
    'Suppliers',
    'Lieferant;Netz;Konto;note',
    `Acme;ethereum;${ETH.address};on Fridays`,
    `Beta;bitcoin;${BTC.address};`,
  ];
  await importFile(page, lines.join('\r\n'));
  await expect(page.getByRole('heading', { name: 'Match columns: suppliers.csv' })).toBeFocused();
  const column = (field: string) => page.getByLabel(field, { exact: true });
  await expect(column('Column names are in')).toHaveText('Line 2: Lieferant, Netz, Konto, note');
  await expect(column('Note (optional)')).toHaveText('note (such as on Fridays)');
  const next = page.getByRole('button', { name: 'Review recipients' });
  await expect(next).toHaveAccessibleDescription('Choose the column for name.');
  await choose(column('Name'), 'Lieferant (such as Acme)');
  await choose(column('Chain'), 'Netz (such as ethereum)');
  await choose(column('Address'), 'Netz (such as ethereum)');
  await expect(next).toHaveAccessibleDescription('Choose a different column for each field.');
  await choose(column('Address'), /^Konto/);
  await expectClean(page, 'the matching of columns', [375]);
  await next.click();
  const can = page.getByRole('list', { name: 'Can be added' }).getByRole('listitem');
  await expect(can).toContainText([/Line 3.*Acme.*on Fridays/, /Line 4.*Beta/]);
  await page.getByRole('button', { name: 'Add 2 recipients' }).click();
  await expect(entries(page)).toHaveCount(2);
});

test('a reference comes and goes with its recipient, also after the review, and a typed one stays @deep', async ({
  page,
}) => {
  await page.goto('/recipients');
  const lines = [
    `Acme,ethereum,${ETH.address},"Contract\r\n7"`,
    `Beta,ethereum,${STRANGER},Contract 8`,
    `Gamma,bitcoin,${BTC.address},`,
  ];
  await importFile(page, ['name,chain,address,reference', ...lines].join('\r\n'));
  await page.getByRole('button', { name: 'Add 3 recipients' }).click();
  await expect(entries(page)).toHaveCount(3);
  await page.goto('/withdrawals/new');
  const reference = page.getByLabel('Reference');
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Recipient' }).fill(name);
    await page.getByRole('option', { name: new RegExp(name) }).click();
  };
  await choose('Acme');
  await expect(reference).toHaveValue('Contract 7');
  await page.getByLabel('Asset', { exact: true }).fill('ETH');
  await page.getByLabel('Amount', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await choose('Beta');
  await expect(reference).toHaveValue('Contract 8');
  await choose('Gamma');
  await expect(reference).toHaveValue('');
  await choose('Beta');
  await page.getByLabel('Destination address', { exact: true }).fill(LOOK_ALIKE);
  await expect(reference).toHaveValue('');
  await reference.fill('Invoice 9');
  await choose('Acme');
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue(ETH.address);
  await expect(reference).toHaveValue('Invoice 9');
});

test('a file with other content changes nothing @deep', async ({ page }) => {
  await openBookWith(page, 'Acme');
  await importFile(page, 'who,where\r\nA,B\r\n');
  await expect(page.getByText('A CSV file needs columns for name, chain and address.')).toBeVisible();
  await importFile(page, '{"entries":', 'book.json');
  await expect(page.getByText('This is not a whole JSON file.')).toBeVisible();
  await expect(entries(page)).toHaveCount(1);
});

test('an exported CSV file can be imported @deep', async ({ page }) => {
  await openBookWith(page, '=Acme, "Ltd"');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^recipients-.*\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toContain(ETH.address);
  expect(text).toContain(`"'=Acme`);
  await page.getByRole('button', { name: /^Remove / }).click();
  await expect(page.getByText(/^No recipients yet\./)).toBeVisible();
  await importFile(page, text, 'book.csv');
  await page.getByRole('button', { name: 'Add 1 recipient' }).click();
  await expect(entries(page)).toContainText(['=Acme, "Ltd"']);
});

test('a colleague’s browser shows a recipient that I added, and a conflicting change shows the first one @deep', async ({
  page,
  colleague,
  expectConsole,
}) => {
  expectConsole(/409/);
  const ben = await colleague('Ben');
  await ben.clock.install();
  await ben.goto('/recipients');
  await expect(ben.getByText(/^No recipients yet\./)).toBeVisible();
  await openBookWith(page, 'Acme');
  await ben.clock.runFor(LOOKED_AGAIN);
  await expect(entries(ben)).toContainText(['Acme']);

  // Both edit the same recipient. Mine is saved last, and overwrites nothing unseen.
  await page.getByRole('button', { name: 'Edit Acme' }).click();
  await ben.getByRole('button', { name: 'Edit Acme' }).click();
  await ben.getByLabel('Name', { exact: true }).fill('Acme Hosting');
  await ben.getByLabel('Note').fill('Only on Fridays');
  await ben.keyboard.press('Enter');
  await expect(entries(ben)).toContainText(['Acme Hosting']);
  await page.getByLabel('Name', { exact: true }).fill('Acme Ltd');
  await page.keyboard.press('Enter');
  const told = page.getByRole('status').filter({ hasText: 'A colleague changed this meanwhile.' });
  await expect(told).toContainText('Now: Acme Hosting · Only on Fridays.');
  await expect(told).toContainText('by Ben');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Acme Ltd');
  // A field I didn't change has Ben's value.
  await expect(page.getByLabel('Note')).toHaveValue('Only on Fridays');
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await expect(entries(page)).toContainText([/Acme Ltd.*Only on Fridays/s]);
  await ben.clock.runFor(LOOKED_AGAIN);
  await expect(entries(ben)).toContainText(['Acme Ltd']);
  await page.getByRole('button', { name: 'Remove Acme Ltd' }).click();
  await ben.clock.runFor(LOOKED_AGAIN);
  await expect(ben.getByText(/^No recipients yet\./)).toBeVisible();
});

test('hostile names are text, isolated, and the layout holds @deep', async ({ page }) => {
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  const names = ['<script>alert(1)</script>', 'שלום <b>עולם</b>', 'x'.repeat(100)];
  await page.goto('/recipients');
  await importFile(page, csv(...names.map((name, at) => `${name},ethereum,0x${String(at).repeat(39)}1`)));
  await page.getByRole('button', { name: 'Add 3 recipients' }).click();
  await expect(entries(page)).toHaveCount(3);
  await expect(entries(page).filter({ hasText: '<script>alert(1)</script>' })).toHaveCount(1);
  expect(await page.getByRole('main').locator('script, b:text-is("עולם")').count()).toBe(0);
  await expectClean(page, 'hostile names', [375]);
  await page.goto('/withdrawals/new');
  await page.getByRole('combobox', { name: 'Recipient' }).fill('0x');
  await expect(page.getByRole('option')).toHaveCount(3);
  await expectClean(page, 'hostile names to pick from', [375]);
  await page.getByRole('option', { name: /<script>/ }).click();
  await expect(page.getByText('Saved as “<script>alert(1)</script>”')).toBeVisible();
  expect(dialogs).toBe(0);
});

test('by keyboard alone: add, and withdraw to it @deep', async ({ page }) => {
  await page.goto('/recipients');
  await expectClean(page, 'no recipients');
  await tabTo(page, page.getByRole('button', { name: 'New recipient' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.type('Acme');
  await tabTo(page, page.getByLabel('Chain', { exact: true }));
  await page.keyboard.type('ethereum');
  await tabTo(page, page.getByLabel('Address', { exact: true }));
  await page.keyboard.type(ETH.address);
  await page.keyboard.press('Enter');
  await expect(entries(page)).toHaveCount(1);
  await expectClean(page, 'the recipients');
  await tabTo(page, page.getByRole('link', { name: 'New withdrawal to Acme' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue(ETH.address);
  await expect(page.getByRole('combobox', { name: 'Recipient' })).toHaveValue('Acme');
});

test('a server that only reads says so @read-only @deep', async ({ page }) => {
  await page.goto('/recipients');
  await expect(page.getByText(/^No recipients yet\./)).toBeVisible();
  for (const name of ['New recipient', 'Import CSV or JSON'])
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription('This dashboard is read-only.');
});
