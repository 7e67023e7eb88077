import { createServer } from 'node:http';
import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/fixtures.ts';

const WITHDRAWAL =
  '{"asset":"BTC","chain":"bitcoin","amount":"1","address":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}';

/** A page on another port of this machine: the same host, so the same cookies, but another origin. */
async function onAnotherPort(html: string, work: (port: number) => Promise<void>) {
  const server = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end(html));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  try {
    await work(address.port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A request that a script in the signed-in page makes. */
async function callFrom(page: Page, method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  return page.evaluate(
    async ({ method, path, headers, body }) => {
      const session: { account?: string } = JSON.parse(document.getElementById('session')?.textContent ?? '{}');
      const answer = await fetch(path, {
        method,
        headers: {
          'X-Account': session.account ?? '',
          ...(body && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      const given = (name: string) => answer.headers.get(name);
      return {
        status: answer.status,
        kind: given('Gateway-Error'),
        replayed: given('Idempotency-Replayed'),
        requestId: given('Request-Id'),
        retryAfter: given('Retry-After'),
        text: await answer.text(),
      };
    },
    { method, path, headers, body },
  );
}

test(
  'a POST forged by a page on another port is refused',
  { tag: '@forwarded' },
  async ({ page, account, origin, expectConsole }) => {
    expectConsole(/./);
    await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '5', status: 'completed' });
    await page.goto('/balances');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const form = `<form method="post" enctype="text/plain" action="${origin}/v1/withdrawals">
    <input name='${WITHDRAWAL.slice(0, -1)},"x":"' value='"}'><button>Go</button></form>`;

    await onAnotherPort(form, async (port) => {
      await page.goto(`http://127.0.0.1:${port}/`);
      const outcomes = await page.evaluate(
        async ({ url, body }) => {
          const attempts: RequestInit[] = [
            { mode: 'no-cors', headers: { 'Content-Type': 'text/plain' } },
            { headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'forged' } },
          ];
          const tries = attempts.map((init) => fetch(url, { method: 'POST', credentials: 'include', body, ...init }));
          return (await Promise.allSettled(tries)).map((each) =>
            each.status === 'fulfilled' ? each.value.type : 'refused',
          );
        },
        { url: `${origin}/v1/withdrawals`, body: WITHDRAWAL },
      );
      expect(outcomes[1]).toBe('refused');
      const answered = page.waitForResponse(`${origin}/v1/withdrawals`);
      await page.getByRole('button', { name: 'Go' }).click();
      expect((await answered).status()).toBe(403);
    });

    expect((await account.requests()).filter(({ method }) => method === 'POST')).toEqual([]);
    expect(await account.withdrawals()).toEqual([]);
  },
);

test('a link on another site opens the page with the session @deep', async ({ page, origin }) => {
  await onAnotherPort(`<a href="${origin}/balances?from=mail">Open</a>`, async (port) => {
    await page.goto(`http://localhost:${port}/`);
    await page.getByRole('link', { name: 'Open' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
    await expect(page).toHaveURL(`${origin}/balances?from=mail`);
  });
});

test('localhost redirects to the canonical origin with path and query @deep', async ({ visitor: page, origin }) => {
  await page.goto(`${origin.replace('127.0.0.1', 'localhost')}/sign-in?next=%2Fdeposits`);
  await expect(page).toHaveURL(`${origin}/sign-in?next=%2Fdeposits`);
});

test(
  'a path that the contract does not have is not forwarded @deep',
  { tag: '@forwarded' },
  async ({ page, account, expectConsole }) => {
    expectConsole(/40[459]/);
    await page.goto('/balances');
    const before = (await account.requests()).length;
    expect(await callFrom(page, 'GET', '/v1/webhook-endpoints')).toMatchObject({ status: 404, kind: 'not-allowed' });
    expect(await callFrom(page, 'DELETE', '/v1/withdrawals/wd_1')).toMatchObject({ status: 405, kind: 'not-allowed' });
    expect(await callFrom(page, 'GET', '/v1/deposits', { 'X-Account': 'f'.repeat(32) })).toMatchObject({
      kind: 'account',
    });
    expect((await account.requests()).slice(before).map(({ path }) => path)).not.toContain('/v1/webhook-endpoints');
  },
);

test('no page posts past the journal', { tag: '@forwarded' }, async ({ page, account, expectConsole }) => {
  expectConsole(/405/);
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '5', status: 'completed' });
  await page.goto('/balances');
  const post = await callFrom(page, 'POST', '/v1/withdrawals', { 'Idempotency-Key': 'once' }, WITHDRAWAL);
  expect(post).toMatchObject({ status: 405, kind: 'not-allowed' });
  expect((await account.requests()).filter(({ method }) => method === 'POST')).toEqual([]);
});

test(
  'Retry-After reaches the page; a Gateway-Error of the service does not @deep',
  { tag: '@forwarded' },
  async ({ page, account, expectConsole }) => {
    expectConsole(/429/);
    await page.goto('/balances');
    const headers = { 'Retry-After': '7', 'Gateway-Error': 'session' };
    await account.fault({ path: '/v1/ledger-entries', status: 429, headers, body: '{}' });
    expect(await callFrom(page, 'GET', '/v1/ledger-entries')).toMatchObject({
      status: 429,
      retryAfter: '7',
      kind: null,
    });
  },
);

test(
  'a redirect of the service is not followed @deep',
  { tag: '@forwarded' },
  async ({ page, account, expectConsole }) => {
    expectConsole(/502/);
    await page.goto('/balances');
    const away = { Location: 'http://127.0.0.1:9/' };
    await account.fault({ path: '/v1/ledger-entries', status: 302, headers: away, body: '' });
    const answer = await callFrom(page, 'GET', '/v1/ledger-entries');
    expect(answer).toMatchObject({ status: 502, kind: 'upstream' });
    expect(answer.text).toContain('service_redirected');
  },
);

test('a cut body arrives as a cut body @deep', { tag: '@forwarded' }, async ({ page, account, expectConsole }) => {
  expectConsole(/ERR_|Failed/);
  await page.goto('/balances');
  await account.fault({ path: '/v1/ledger-entries', times: 9, cutAt: 10 });
  await expect(callFrom(page, 'GET', '/v1/ledger-entries')).rejects.toThrow(/network error|Failed to fetch/);
});

test(
  'a gateway that only reads records nothing @deep',
  { tag: '@read-only' },
  async ({ page, account, expectConsole }) => {
    expectConsole(/403/);
    await page.goto('/balances');
    await expect(page.getByText('Read only').filter({ visible: true })).toHaveCount(1);
    const { asset, chain, amount, address }: Record<string, string> = JSON.parse(WITHDRAWAL);
    const start = {
      kind: 'withdrawal',
      path: '/v1/withdrawals',
      body: JSON.stringify({ asset, chain, amount, address }),
      second_send_of: [],
      not_after: Date.now() + 60_000,
    };
    const answer = await callFrom(page, 'PUT', '/api/operations/some-key', {}, JSON.stringify(start));
    expect(answer).toMatchObject({ status: 403 });
    expect(answer.text).toContain('read_only');
    expect((await account.requests()).filter(({ method }) => method === 'POST')).toEqual([]);
  },
);

test('a gateway that only reads offers no money actions @deep', { tag: '@read-only' }, async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'New withdrawal' })).toHaveCount(0);
});
