import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { note } from './figures.ts';
import { saysNotSent, signInPerson, withdrawalTo } from './person.ts';
import { proxyOrigin, startProxy } from './proxy.ts';
import type { ProxyName } from './proxyPrograms.ts';
import { resolve, unlessGone } from './resolve.ts';
import { executed, newMerchant } from './service.ts';
import { shareJournal, type SharedJournal } from './shared.ts';

const MERCHANTS = 4;
const PAYMENTS = 25;
/** Over which the payments begin. Each server is restarted within. */
const SPREAD_MS = 8_000;

let journal: SharedJournal;
beforeAll(async () => {
  journal = await shareJournal();
  // The proxies' certificates are our own.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
});
afterAll(() => journal.stop());

const names: ProxyName[] = ['nginx', 'caddy'];

describe('two servers on one PostgreSQL are restarted one after the other', () => {
  for (const name of names)
    test(`behind ${name}: of 100 payments under way none is lost or sent twice`, async () => {
      const origin = await proxyOrigin();
      const settings = { PUBLIC_ORIGIN: origin, TRUSTED_PROXIES: '127.0.0.1', DRAIN_SECONDS: '3' };
      const start = (port?: number) => journal.start(journal.newFolder(), settings, port);
      const servers = [await start(), await start()];
      const proxy = await startProxy(
        name,
        origin,
        servers.map(({ port }) => port),
      );
      let falseNotSent = 0;
      const asked = [];
      const wished = [];
      for (let index = 0; index < MERCHANTS; index += 1) {
        const merchant = await newMerchant();
        const person = await signInPerson(origin, merchant);
        for (let made = 0; made < PAYMENTS; made += 1) {
          const wish = withdrawalTo();
          wished.push({ wish, person, merchant });
          asked.push(
            (async () => {
              await wait(Math.random() * SPREAD_MS);
              const answer = await unlessGone(person.put(wish));
              if (answer?.json !== undefined && saysNotSent(answer)) falseNotSent += 1;
            })(),
          );
        }
      }
      const restarted = (async () => {
        for (const [at, server] of servers.entries()) {
          await wait(SPREAD_MS / 8);
          expect((await server.stop()).code, server.output()).toBe(0);
          servers[at] = await start(server.port);
        }
      })();
      await Promise.all([restarted, ...asked]);
      let doubles = 0;
      for (const { wish, person, merchant } of wished) {
        expect(await resolve(person, wish)).toBe('succeeded');
        const { to } = await executed(merchant, wish.address);
        doubles += Math.max(0, to - 1);
        expect(to).toBe(1);
      }
      note(`rolling restart behind ${name}`, { payments: wished.length, doubles, falseNotSent });
      expect([doubles, falseNotSent]).toEqual([0, 0]);
      await proxy.stop();
      for (const server of servers) expect((await server.stop()).code).toBe(0);
    });
});
