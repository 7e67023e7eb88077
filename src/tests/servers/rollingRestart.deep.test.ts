import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { JOBS_PATH } from '#src/shared/contract/jobsContract.ts';
import { note } from './figures.ts';
import { monthIn, readMonthJob, startMonth, yearToYesterday } from './months.ts';
import { type SignedInPerson, saysNotSent, signInPerson, withdrawalTo } from './person.ts';
import { proxyOrigin, startProxy } from './proxy.ts';
import type { ProxyName } from './proxyPrograms.ts';
import { resolve, unlessGone } from './resolve.ts';
import { executed, faultFor, HELD, newMerchant, release } from './service.ts';
import { shareJournal, type SharedJournal } from './shared.ts';
import { until } from './until.ts';

const MERCHANTS = 4;
const PAYMENTS = 25;
/** The payments begin within this time, and each server is restarted within it. */
const SPREAD_MS = 8_000;

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

const names: ProxyName[] = ['nginx', 'caddy'];

/** Reads a month until it has two pages, and is then held by the service until `finish`. */
async function readMonth(origin: string) {
  const merchant = await newMerchant(350);
  const person = await signInPerson(origin, merchant);
  const year = yearToYesterday();
  const undisturbed = await monthIn(person, await startMonth(person, year), 'done');
  await person.ask(`${JOBS_PATH}/${undisturbed.id}`, 'DELETE');
  // Passes the read of the oldest row, and two pages.
  await faultFor(merchant, { path: '/v1/deposits', times: 2, patch: {} });
  await faultFor(merchant, { path: '/v1/deposits', times: 99, ...HELD });
  const id = await startMonth(person, year);
  await until('two pages are saved', async () => (await readMonthJob(person, id)).progress?.rows === 200);
  let continued = 0;
  return {
    sha256: undisturbed.sha256,
    /** Continues it wherever its server had ended. */
    goOn: async (): Promise<number> => {
      if (await isStopped(person, id)) {
        await person.ask(`${JOBS_PATH}/${id}/continue`, 'POST', {});
        continued += 1;
      }
      return continued;
    },
    finish: async (): Promise<string | null> => {
      await release(merchant);
      return (await monthIn(person, id, 'done')).sha256;
    },
  };
}

async function isStopped(person: SignedInPerson, id: string): Promise<boolean> {
  const month = await readMonthJob(person, id);
  expect([null, 'server-restarted']).toContain(month.problem?.code ?? null);
  return month.state === 'stopped';
}

describe('two servers on one PostgreSQL are restarted one after the other', () => {
  for (const name of names)
    test(`behind ${name}: of 100 payments under way none is lost or sent twice, and a month is read to the same end`, async () => {
      const settings = { PUBLIC_ORIGIN: origin, TRUSTED_PROXIES: '127.0.0.1', DRAIN_SECONDS: '3' };
      const start = (port?: number) => journal.start(journal.newFolder(), settings, port);
      const servers = [await start(), await start()];
      const proxy = await startProxy(
        name,
        origin,
        servers.map(({ port }) => port),
      );
      const month = await readMonth(origin);
      let falseNotSent = 0;
      const requests = [];
      const payments = [];
      for (let index = 0; index < MERCHANTS; index += 1) {
        const merchant = await newMerchant();
        const person = await signInPerson(origin, merchant);
        for (let made = 0; made < PAYMENTS; made += 1) {
          const wish = withdrawalTo();
          payments.push({ wish, person, merchant });
          requests.push(
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
          await month.goOn();
        }
      })();
      await Promise.all([restarted, ...requests]);
      // The server that was reading it has been restarted.
      expect(await month.goOn()).toBeGreaterThan(0);
      expect(await month.finish()).toBe(month.sha256);
      let doubles = 0;
      for (const { wish, person, merchant } of payments) {
        expect(await resolve(person, wish)).toBe('succeeded');
        const { to } = await executed(merchant, wish.address);
        doubles += Math.max(0, to - 1);
        expect(to).toBe(1);
      }
      note(`rolling restart behind ${name}`, { payments: payments.length, doubles, falseNotSent });
      expect([doubles, falseNotSent]).toEqual([0, 0]);
      await proxy.stop();
      for (const server of servers) expect((await server.stop()).code).toBe(0);
    });
});
