import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { settled } from './house.ts';
import { codeIn, signInPerson, viewIn, withdrawalTo } from './person.ts';
import { executed, faultFor, HELD, newMerchant, posts, requestsReceived, release, type Merchant } from './service.ts';
import { shareJournal, type SharedJournal } from './shared.ts';
import { until } from './until.ts';

let journal: SharedJournal;
let folder: string;
let server: Dashboard;

beforeAll(async () => {
  journal = await shareJournal();
  folder = journal.newFolder();
  server = await journal.start(folder);
});
afterAll(async () => {
  await server.stop();
  await journal.stop();
});

/** A withdrawal that the service answers late, with the database stopped in the meantime. */
async function sendingWithoutDatabase(merchant: Merchant) {
  const person = await signInPerson(server.baseUrl, merchant);
  await faultFor(merchant, { method: 'POST', ...HELD });
  const wish = withdrawalTo();
  expect(viewIn(await person.put(wish))?.operation.state).toBe('sending');
  await journal.halt();
  await release(merchant);
  return { person, wish };
}

const answered = (merchant: Merchant) =>
  until('the service has answered', async () =>
    (await requestsReceived(merchant)).every(({ status }) => status !== null),
  );

test('the database is away (row 24): nothing is sent, reading goes on, and the same PUT sends when it is back', async () => {
  const merchant = await newMerchant();
  const person = await signInPerson(server.baseUrl, merchant);
  const wish = withdrawalTo();
  await journal.halt();
  const refused = await person.put(wish);
  expect([refused.status, codeIn(refused)]).toEqual([503, 'not_ready']);
  expect((await person.balances()).status).toBe(200);
  expect((await person.read(wish.key)).status).toBe(503);
  expect(await posts(merchant)).toEqual([]);
  await journal.resume();
  await until('it is recorded', async () => (await person.put(wish)).status < 300);
  expect((await settled(person, wish.key)).operation.state).toBe('succeeded');
  expect((await executed(merchant, wish.address)).to).toBe(1);
});

test('an answer that cannot be written is written when the database is back', async () => {
  const merchant = await newMerchant();
  const { person, wish } = await sendingWithoutDatabase(merchant);
  await answered(merchant);
  await journal.resume();
  await until('the database answers', async () => (await person.read(wish.key)).status === 200);
  expect((await settled(person, wish.key)).operation).toMatchObject({
    state: 'succeeded',
    attempts: [{ outcome: 'success' }],
  });
  expect(await posts(merchant)).toHaveLength(1);
});

test('a server that ends meanwhile leaves the answer in its folder, and the next one applies it', async () => {
  const merchant = await newMerchant();
  const { person, wish } = await sendingWithoutDatabase(merchant);
  const kept = () => readdirSync(folder).filter((name) => name.startsWith('unwritten-answers-'));
  expect((await server.stop()).code, server.output()).toBe(0);
  expect(kept()).toHaveLength(1);
  await journal.resume();
  server = await journal.start(folder, {}, server.port);
  expect(viewIn(await person.read(wish.key))?.operation).toMatchObject({
    state: 'succeeded',
    attempts: [{ outcome: 'success' }],
  });
  expect(kept()).toEqual([]);
  expect((await executed(merchant, wish.address)).to).toBe(1);
  expect(await posts(merchant)).toHaveLength(1);
});

test('a server that can write the answer nowhere says so and exits with 1', async () => {
  const merchant = await newMerchant();
  const { wish } = await sendingWithoutDatabase(merchant);
  await answered(merchant);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  expect((await server.stop()).code).toBe(1);
  expect(server.output()).toContain(`The service’s answers to ${wish.key} are kept nowhere, so check them: DATA_DIR`);
  rmSync(folder);
  await journal.resume();
  server = await journal.start(folder, {}, server.port);
});
