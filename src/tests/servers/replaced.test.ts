import { describe, expect, test } from 'vitest';
import { DEEP } from '#src/tests/depth.ts';
import { spawnDashboard } from '#src/tests/process/dashboardProcess.ts';
import type { HttpAnswer } from '#src/tests/contract/http.ts';
import { IN_USE, envOf, newDirectory, startOn } from './house.ts';
import { saysNotSent, signInPerson, viewIn, withdrawalTo } from './person.ts';
import { executed, faultFor, HELD, newMerchant, posts, requestsReceived, release } from './service.ts';
import { until } from './until.ts';

// Where the first copy of the PUT is when its server is stopped.
const MOMENTS = {
  'before it is recorded': { method: 'GET', path: '/v1/balances', when: 'before', delay: 1_500 },
  'before the service carries it out': { method: 'POST', when: 'before', delay: 1_500 },
  'when the service has carried it out': { method: 'POST', when: 'after', delay: 1_500 },
};
const NEW_SERVERS = {
  'the same': {},
  'one with another secret': { SESSION_SECRET: 'another secret of 16 characters' },
  'one that only reads': { READ_ONLY: 'true' },
};
type Row = [moment: keyof typeof MOMENTS, signal: 'SIGTERM' | 'SIGKILL', by: keyof typeof NEW_SERVERS];

const EVERY = Object.keys(MOMENTS).flatMap((moment) =>
  (['SIGTERM', 'SIGKILL'] as const).flatMap((signal) =>
    Object.keys(NEW_SERVERS).map((by) => [moment, signal, by] as Row),
  ),
);
const SOME: Row[] = [['before the service carries it out', 'SIGTERM', 'one with another secret']];

describe.concurrent('a server replaced in flight, two copies of one PUT (row 20b): never a false "not sent"', () => {
  test.each(DEEP ? EVERY : SOME)('%s, by %s, %s', async (moment, signal, by) => {
    const merchant = await newMerchant();
    const directory = newDirectory(`replaced ${moment} ${signal} ${by}`);
    const wish = withdrawalTo();
    const first = await startOn(directory);
    let person = await signInPerson(first.baseUrl, merchant);
    const before = (await requestsReceived(merchant)).length;
    await faultFor(merchant, MOMENTS[moment]);
    const copy = person.put(wish).catch(() => undefined);
    const { path = '/v1/withdrawals' } = { path: undefined, ...MOMENTS[moment] };
    await until('the request is at the service', async () =>
      (await requestsReceived(merchant)).slice(before).some((request) => request.path === path),
    );

    first.signal(signal);
    await first.end;
    const second = await startOn(directory, NEW_SERVERS[by], first.port);
    const heard: HttpAnswer[] = [];
    const firstAnswer = await copy;
    // A killed server may leave an answer without a complete body, which says nothing.
    if (firstAnswer?.json !== undefined) heard.push(firstAnswer);
    heard.push(await person.put(wish));
    if (by === 'one with another secret') {
      person = await signInPerson(first.baseUrl, merchant);
      heard.push(await person.read(wish.key), await person.put(wish));
    }
    heard.push(await person.discard(wish.key), await person.read(wish.key));

    // Wait for the delayed requests, whichever server sent them.
    await until('the service has done everything', async () =>
      (await requestsReceived(merchant)).every(({ status }) => status !== null),
    );
    heard.push(await person.read(wish.key));
    const { to } = await executed(merchant, wish.address);
    expect(to).toBeLessThanOrEqual(1);
    expect((await posts(merchant)).length, 'sent by nobody a second time').toBeLessThanOrEqual(1);
    const lies = heard.filter((answer) => to > 0 && saysNotSent(answer));
    expect(lies.map(({ text }) => text)).toEqual([]);
    await second.stop();
  });
});

test('SIGTERM lets a running attempt end: its answer is written, and the exit code is 0', async () => {
  const merchant = await newMerchant();
  const directory = newDirectory('orderly');
  const wish = withdrawalTo();
  const first = await startOn(directory);
  const person = await signInPerson(first.baseUrl, merchant);
  await faultFor(merchant, { method: 'POST', ...HELD });
  expect(viewIn(await person.put(wish))?.operation.state).toBe('sending');
  const end = first.stop();

  // A new server that is started too early exits with an error and does no harm.
  const early = await spawnDashboard(envOf(directory));
  expect((await early.end).code).toBe(1);
  expect(early.output()).toMatch(IN_USE);
  await release(merchant);
  expect((await end).code, first.output()).toBe(0);

  const second = await startOn(directory, {}, first.port);
  const { operation } = viewIn(await person.read(wish.key)) ?? {};
  expect(operation).toMatchObject({ state: 'succeeded', attempts: [{ outcome: 'success' }] });
  expect(await posts(merchant)).toHaveLength(1);
  await second.stop();
});
