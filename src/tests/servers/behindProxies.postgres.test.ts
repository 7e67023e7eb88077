import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bodyOf, type HttpAnswer, sendTo } from '#src/tests/contract/http.ts';
import type { Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { withdrawalTo } from './person.ts';
import { proxyOrigin, startProxy } from './proxy.ts';
import type { ProxyName } from './proxyPrograms.ts';
import { executed, newMerchant, type Merchant } from './service.ts';
import { shareJournal, type SharedJournal } from './shared.ts';
import { until } from './until.ts';

let journal: SharedJournal;
/** One for both: a database belongs to one origin. */
let origin: string;
beforeAll(async () => {
  journal = await shareJournal();
  origin = await proxyOrigin();
  // The proxies' certificates are our own.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
});
afterAll(() => journal.stop());

type Ask = (path: string, method?: string, body?: object) => Promise<HttpAnswer>;

/** Signs in, and keeps sending that session's cookie, even after a sign-out. */
async function signInWithOneCookie({ key }: Merchant): Promise<Ask> {
  const json = { 'content-type': 'application/json', origin };
  const signedIn = await sendTo(origin, '/session', { method: 'POST', headers: json, body: JSON.stringify({ key }) });
  expect(signedIn.status, signedIn.text).toBe(201);
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
  const headers = { ...json, cookie, 'x-account': bodyOf<{ account: string }>(signedIn).account };
  return (path, method = 'GET', body) =>
    sendTo(origin, path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** How many requests each server logged. */
function handledBy(servers: readonly Dashboard[], method: string, status: number): number[] {
  const line = new RegExp(`"method":"${method}",.*"status":${status},`, 'g');
  return servers.map((server) => server.output().match(line)?.length ?? 0);
}

test.each<ProxyName>(['nginx', 'caddy'])(
  'behind %s a session works on both of two servers, and one sign-out ends it on both',
  async (name) => {
    const settings = { PUBLIC_ORIGIN: origin, TRUSTED_PROXIES: '127.0.0.1', LOG: 'json' };
    const servers = [
      await journal.start(journal.newFolder(), settings),
      await journal.start(journal.newFolder(), settings),
    ];
    const ports = servers.map(({ port }) => port);
    const proxy = await startProxy(name, origin, ports);
    const merchant = await newMerchant();
    const ask = await signInWithOneCookie(merchant);
    expect(new Set(handledBy(servers, 'POST', 201))).toEqual(new Set([0, 1]));

    const addresses: string[] = [];
    await until('both servers have sent a payment', async () => {
      const { key, address, ...wish } = withdrawalTo();
      const put = { ...wish, second_send_of: [], not_after: Date.now() + 100_000 };
      expect((await ask(`/api/operations/${key}`, 'PUT', put)).status).toBe(201);
      addresses.push(address);
      return !handledBy(servers, 'PUT', 201).includes(0);
    });
    for (const address of addresses)
      await until('it is sent', async () => (await executed(merchant, address)).to === 1);

    expect((await ask('/session', 'DELETE')).status).toBe(204);
    await until('both servers refuse the session', async () => {
      const { key, address: _, ...wish } = withdrawalTo();
      const put = { ...wish, second_send_of: [], not_after: Date.now() + 100_000 };
      expect((await ask(`/api/operations/${key}`, 'PUT', put)).status).toBe(401);
      return !handledBy(servers, 'PUT', 401).includes(0);
    });
    await proxy.stop();
    for (const server of servers) expect((await server.stop()).code).toBe(0);
  },
);
