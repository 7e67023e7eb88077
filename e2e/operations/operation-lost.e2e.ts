import { createServer } from 'node:http';
import { HELD } from '#e2e/support/sandbox.ts';
import {
  expect,
  expectAccepted,
  expectLedger,
  faultOnPost,
  postsOf,
  resend,
  resendButton,
  sendAndLose,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test('resending a request that never arrived executes it once @deep', async ({ page, account }) => {
  await faultOnPost(account, { when: 'before', drop: true });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await expectLedger(account, 0);
  await resend(page, account);
  await expectAccepted(page);
  // The pressed button is gone; the focus is on the new ones.
  await expect(page.locator('body')).not.toBeFocused();
  await expectLedger(account, 1);
});

test(
  'a lost answer: resending replays it, with the same key and bytes',
  { tag: '@also-forwarded' },
  async ({ page, account }) => {
    test.setTimeout(60_000);
    await sendAndLose(page, account);
    await expect(page.getByText(/^Recorded \d+ \w+ /)).toBeVisible();
    await expectLedger(account, 1);
    await expect(stateOf(page)).toContainText('We don’t know yet whether this withdrawal went through.');
    await expect(page.getByRole('region', { name: 'Attempts' }).getByRole('row')).toHaveCount(2);
    await resend(page, account);
    await expectAccepted(page);
    await expect(page.getByText(/^Sent \d+ \w+ /)).toBeVisible();
    await expect(page.getByText('Resend confirmed: it was created once.')).toBeVisible();
    await expectLedger(account, 1);

    const arrived = (await account.requests()).filter(({ method }) => method === 'POST');
    expect(new Set(arrived.map(({ idempotency_key: key }) => key)).size).toBe(1);
    expect(new Set(arrived.map(({ body }) => body)).size).toBe(1);
    const [withdrawal] = await account.withdrawals();
    await expect(page.getByRole('region', { name: 'What was sent' })).toContainText(String(withdrawal?.['id']));
  },
);

test('an attempt’s response breaks between words, also beside the name of its sender @deep', async ({
  account,
  colleague,
}) => {
  const mira = await colleague('Mira');
  await sendAndLose(mira, account);
  const answer = mira.getByRole('table', { name: 'Attempts' }).getByText('no response, the connection failed');
  for (const width of [1024, 1280, 1440]) {
    await mira.setViewportSize({ width, height: 800 });
    await expect.poll(() => answer.evaluate(brokenWords), { message: `at ${width} px` }).toEqual([]);
  }
});

function brokenWords(element: Element): string[] {
  const text = element.firstChild as Text;
  return [...text.data.matchAll(/\w+/g)].flatMap(({ index, 0: word }) => {
    const range = new Range();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1 ? [word] : [];
  });
}

test('Resend is disabled after a lost attempt and says for how long @deep', async ({ page, account }) => {
  await sendAndLose(page, account);
  await expect(resendButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(resendButton(page)).toHaveAccessibleDescription(/You can resend in \d+ s/);
  await resendButton(page).click({ force: true });
  expect(await postsOf(account)).toHaveLength(1);
});

test('a request that timed out is recognized when the service finishes it later @deep', async ({ page, account }) => {
  await faultOnPost(account, { when: 'before', ...HELD });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Sending');
  await account.advance(31);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await resend(page, account);
  await expectAccepted(page);
  await account.clearFaults();
  await expect.poll(async () => (await postsOf(account)).every(({ status }) => status !== null)).toBe(true);
  await expectLedger(account, 1);
});

test('the time-out covers a body that stalls after the headers @deep', async ({ page, account }) => {
  await faultOnPost(account, { stall: true });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Sending');
  await account.advance(31);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await resend(page, account);
  await expectAccepted(page);
  await expectLedger(account, 1);
});

test('a duplicated POST is one attempt and one withdrawal @deep', async ({ page, account }) => {
  await faultOnPost(account, { duplicate: true });
  await sendNew(page);
  await expectAccepted(page);
  await page.getByText('Evidence', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Attempts' }).getByRole('row')).toHaveCount(2);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('a redirect to another host is refused; neither key nor body follows @deep', async ({ page, account }) => {
  const arrived: string[] = [];
  const elsewhere = createServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.end();
  });
  await new Promise<void>((resolve) => {
    elsewhere.listen(0, '127.0.0.1', resolve);
  });
  const address = elsewhere.address();
  const port = typeof address === 'object' ? address?.port : null;
  try {
    const headers = { Location: `http://127.0.0.1:${port}/v1/withdrawals` };
    await faultOnPost(account, { status: 307, headers, body: '' });
    await sendNew(page);
    await expect(stateOf(page)).toContainText('Unconfirmed');
    expect(arrived).toEqual([]);
    await resend(page, account);
    await expectAccepted(page);
    await expectLedger(account, 1);
  } finally {
    elsewhere.closeAllConnections();
    elsewhere.close();
  }
});
