import { describe, expect, test } from 'vitest';
import { inlineJson } from './pages.ts';
import { emptyList, fakeService, refusalIn, startGateway } from '#src/server/http/testGateway.ts';

const open = async (change: Parameters<typeof startGateway>[1] = {}) =>
  startGateway((await fakeService(emptyList)).url, change);

function block(html: string, id: string): unknown {
  return JSON.parse(new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`).exec(html)?.[1] ?? '');
}

describe('the page', () => {
  test('carries the session and the service, at any path, and is stored nowhere', async () => {
    const gateway = await open();
    const { cookie, answer } = await gateway.signIn();
    const page = await gateway.get('/deposits?status=completed', { Cookie: cookie });
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'no-store' });
    expect(block(page.text, 'session')).toEqual(JSON.parse(answer.text));
    expect(block(page.text, 'gateway')).toMatchObject({ sandbox: false, read_only: false });
    expect(block((await gateway.get('/deposits')).text, 'session')).toBeNull();
  });

  test('has the theme that was chosen in this browser', async () => {
    const gateway = await open();
    const rootOf = async (Cookie: string) => /<html[^>]*>/.exec((await gateway.get('/', { Cookie })).text)?.[0];
    expect(await rootOf('a=1; countinghouse-theme=dark; b=2')).toBe('<html data-theme="dark" lang="en">');
    expect(await rootOf('countinghouse-theme="><script>')).toBe('<html lang="en">');
    expect(await rootOf('other-countinghouse-theme=dark')).toBe('<html lang="en">');
  });

  test('sets probe cookies to find out which ones this browser accepts', async () => {
    const gateway = await open();
    const names = (await gateway.get('/')).headers['set-cookie']?.map((line) => line.split('=')[0]);
    expect(names).toEqual([`__Host-countinghouse-probe-${gateway.port}`, `countinghouse-probe-${gateway.port}`]);
  });

  test('reached by a link on another site reloads once, so that the Strict cookie is sent', async () => {
    const gateway = await open();
    const { cookie } = await gateway.signIn();
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' };
    const first = await gateway.get('/deposits', link);
    expect(first.text).toContain('http-equiv="refresh"');
    const bounced = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect(block((await gateway.get('/deposits', { ...link, Cookie: bounced })).text, 'session')).toBeNull();
    expect(block((await gateway.get('/deposits', { ...link, Cookie: cookie })).text, 'session')).not.toBeNull();
  });

  test('is not served for a missing asset or a POST', async () => {
    const gateway = await open();
    expect((await gateway.get('/assets/gone-1234.js')).status).toBe(404);
    expect((await gateway.send('/balances', { method: 'POST', headers: gateway.json, body: '{}' })).status).toBe(405);
  });

  test('has the headers of every answer', async () => {
    const gateway = await open();
    for (const path of ['/', '/healthz', '/session', '/v1/balances', '/assets/none']) {
      const { headers } = await gateway.get(path);
      const policy = headers['content-security-policy'];
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    }
  });
});

describe('another Host', () => {
  test('is redirected to the canonical origin for a page, with path and query', async () => {
    const gateway = await open();
    const answer = await gateway.get('/deposits?asset=BTC', { Host: `localhost:${gateway.port}` });
    expect([answer.status, answer.headers.location]).toEqual([302, `${gateway.origin}/deposits?asset=BTC`]);
    const odd = await gateway.get('//evil.example/', { Host: 'evil.example' });
    expect(odd.headers.location).toBe(`${gateway.origin}//evil.example/`);
  });

  test.each([
    ['https://money.internal', 'money.internal:443', 200],
    ['https://money.internal', 'money.internal:80', 302],
    ['http://money.internal', 'money.internal:80', 200],
    ['http://money.internal:8080', 'money.internal', 302],
  ])('of %s may be %s with the default port spelt out: %i', async (origin, Host, status) => {
    expect((await (await open({ origin })).get('/deposits', { Host })).status).toBe(status);
  });

  test.each(['/v1/balances', '/session', '/sandbox/requests'])('is refused %s', async (path) => {
    const gateway = await open();
    const answer = await gateway.get(path, { Host: 'rebound.example' });
    expect([answer.status, refusalIn(answer).kind]).toEqual([421, 'not-allowed']);
  });
});

test('a data block cannot be closed by what it holds', () => {
  const value = { service: '</script><!-- & \u2028\u2029' };
  const html = inlineJson('session', value);
  expect(html.match(/<\/script/g)).toHaveLength(1);
  expect(block(html, 'session')).toEqual(value);
  expect(html).not.toMatch(/[\u2028\u2029]/);
});
