import { connect } from 'node:http2';
import { expect, test, vi } from 'vitest';
import { newDirectory, settled, startOn } from './house.ts';
import { signInPerson, withdrawalTo } from './person.ts';
import { proxyOrigin, startProxy } from './proxy.ts';
import { executed, newMerchant } from './service.ts';

test('behind nginx: HTTP/2 with TLS, Secure cookies, a payment sent once', async () => {
  const merchant = await newMerchant();
  const origin = await proxyOrigin();
  const server = await startOn(newDirectory('behind-nginx'), { PUBLIC_ORIGIN: origin, TRUSTED_PROXIES: '127.0.0.1' });
  const proxy = await startProxy('nginx', origin, [server.port]);

  const session = connect(origin, { ca: proxy.certificate });
  const stream = session.request({ ':path': '/sign-in' });
  const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
    stream.on('response', resolve).on('error', reject);
  });
  expect(headers).toMatchObject({ ':status': 200, 'strict-transport-security': 'max-age=31536000' });
  expect(session.alpnProtocol).toBe('h2');
  session.destroy();

  // The certificate is our own.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const person = await signInPerson(origin, merchant);
  const wish = withdrawalTo();
  expect((await person.put(wish)).status).toBe(201);
  expect((await settled(person, wish.key)).operation.state).toBe('succeeded');
  expect((await executed(merchant, wish.address)).to).toBe(1);
  // As large as the close of a month with its exchange rates.
  const large = { method: 'POST', body: 'x'.repeat(5_900_000) };
  expect((await fetch(`${origin}/api/jobs/none/close`, large)).status).not.toBe(413);
  vi.unstubAllEnvs();
  await proxy.stop();
  expect((await server.stop()).code).toBe(0);
});
