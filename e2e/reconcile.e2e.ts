import { expectClean } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { closedRows, closePeriod, download, LAST_MONTH, linesOf, sha256, sumOf } from './monthClose.ts';
import type { Account } from './sandbox.ts';

// Nothing but what each test makes, and opening balances of now.
test.use({ seed: { deposits: 0, assets: 3 } });

const { from, to } = LAST_MONTH;
const DAY = 86_400;

const btc = (account: Account, amount: string, created_at: number, status?: string) =>
  account.deposit({ asset: 'BTC', chain: 'bitcoin', amount, created_at, ...(status && { status }) });
const ids = (file: string | undefined) => linesOf(file).map(([id]) => id);

/** As in a month of an accountant: first and last second, two in one second, and the first second after it. */
async function month(account: Account) {
  const inside = [
    await btc(account, '0.1', from),
    await btc(account, '0.00000001', from + 5 * DAY),
    await btc(account, '0.25', from + 9 * DAY),
    await btc(account, '0.25', from + 9 * DAY),
    await btc(account, '1', to - 1),
  ];
  const { id: next } = await btc(account, '7', to);
  return { inside: inside.map(({ id }) => id), next };
}

test('last month is closed exactly: its files, their hashes, byte for byte again, and for a colleague', async ({
  page,
  account,
  colleague,
}) => {
  const { inside, next } = await month(account);
  // A swap in the middle of it, by the account's own clock.
  const back = from + 10 * DAY - Math.floor(Date.now() / 1000);
  await account.advance(back);
  const { id: swap } = await account.swap({ from: 'USDT', from_amount: '500', to: 'BTC', to_amount: '0.5' });
  await account.advance(-back);

  await page.goto('/reconcile');
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  await sumOf(page, 'BTC').getByRole('button', { name: 'BTC' }).click();
  const sum = page.getByRole('table', { name: 'BTC' });
  await expect(sum.getByRole('row', { name: /^Deposits/ })).toContainText('5 deposits');
  await expect(sum.getByRole('row', { name: /^Swaps/ })).toContainText('+0.5 BTC');
  await expect(page.getByText(/^Swap swp_/)).toContainText('−500 USDT to +0.5 BTC');
  await expect(sum.getByRole('row', { name: /^Difference/ })).toContainText('0 BTC');
  await expect(sum.getByRole('link', { name: '5 deposits' })).toHaveAttribute(
    'href',
    `/deposits?asset=BTC&created_after=${from - 1}&created_before=${to}`,
  );
  await expectClean(page, 'a month');

  const { bytes, files } = await closePeriod(page);
  expect(ids(files['deposits.csv'])).toEqual(inside);
  expect(files['deposits.csv']).not.toContain(next);
  expect(ids(files['ledger.csv'])).toHaveLength(inside.length * 3 + 2);
  expect(files['ledger.csv']).toContain(swap);
  const totals = JSON.parse(files['control-totals.json'] ?? '');
  expect(totals).toMatchObject({ statement: 1, to_utc: new Date(to * 1000).toISOString().replace('.000', '') });
  for (const { name, sha256: hash, rows } of totals.files) {
    expect([name, sha256(files[name] ?? '')]).toEqual([name, hash]);
    expect(linesOf(files[name])).toHaveLength(rows);
  }
  expect(
    linesOf(files['summary.csv'])
      .find(([asset]) => asset === 'BTC')
      ?.slice(1, 9),
  ).toEqual(['12', '1.60000001', '0', '0', '0.5', '0', '0', '14.10000001']);
  // The end of the whole file's hash stands in the list, and is what is copied.
  await expect(closedRows(page).first()).toContainText(sha256(bytes).slice(0, 12));

  const ben = await colleague('Ben');
  await ben.goto('/reconcile');
  await expect(sumOf(ben, 'BTC')).toContainText('Agrees');
  await expect(ben.getByRole('button', { name: 'Close period' })).toHaveCount(0);
  expect(Buffer.compare((await download(ben)).bytes, bytes)).toBe(0);
});
