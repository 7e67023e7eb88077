import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEEP } from '#src/tests/depth.ts';
import type { Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { isServed } from '#src/tests/process/program.ts';
import { BATCHES_PATH, type BatchList, type BatchReviewed } from '#src/shared/contract/batchContract.ts';
import { bodyOf } from '#src/tests/contract/http.ts';
import { recordBatchOfSize, startSentBatch, readBatchView } from './batches.ts';
import { note } from './figures.ts';
import { settled } from './house.ts';
import { codeIn, sameIn, saysNotSent, signInPerson, viewIn, withdrawalTo, type SignedInPerson } from './person.ts';
import { resolve, someAnswered, unlessGone } from './resolve.ts';
import { executed, faultFor, HELD, newMerchant, posts, requestsReceived, release, type Merchant } from './service.ts';
import { shareJournal, type SharedJournal } from './shared.ts';
import { until } from './until.ts';

const KILLS = DEEP ? 200 : 1;
const ROUNDS = DEEP ? 5 : 2;

let journal: SharedJournal;
let left: Dashboard;
let right: Dashboard;

beforeAll(async () => {
  journal = await shareJournal();
  left = await journal.start(journal.newFolder());
  right = await journal.start(journal.newFolder());
});
afterAll(async () => {
  await left.stop();
  await right.stop();
  await journal.stop();
});

async function twoPeople(merchant: Merchant): Promise<[SignedInPerson, SignedInPerson]> {
  return [await signInPerson(left.baseUrl, merchant), await signInPerson(right.baseUrl, merchant)];
}

test('two copies of one PUT, one to each server: one operation, sent once', async () => {
  const merchant = await newMerchant();
  const [one, other] = await twoPeople(merchant);
  for (let round = 0; round < ROUNDS; round += 1) {
    const wish = withdrawalTo();
    const answers = await Promise.all([one.put(wish), other.put(wish)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect((await settled(one, wish.key)).operation.state).toBe('succeeded');
    expect((await executed(merchant, wish.address)).to).toBe(1);
  }
  expect(await posts(merchant)).toHaveLength(ROUNDS);
});

test('a batch is sent by one server; on the other one it can’t be started, and can be stopped', async () => {
  const merchant = await newMerchant();
  const [one, other] = await twoPeople(merchant);
  const batch = await recordBatchOfSize(merchant, one, 6);
  const there = { ...batch, person: other };
  const { lines } = await readBatchView(batch);
  const reviewed = await other.ask(`${BATCHES_PATH}/review`, 'POST', {
    lines: lines.map(({ line, body, recipient, reference }) => ({ line, body, recipient, reference })),
  });
  expect(bodyOf<BatchReviewed>(reviewed)).toMatchObject({
    same: { id: batch.id },
    lines: lines.map(({ line }) => ({ line, batches: [{ id: batch.id }] })),
  });
  await startSentBatch(batch);
  const { revision } = (await readBatchView(there)).batch;
  const again = await other.ask(`${BATCHES_PATH}/${batch.id}/start`, 'POST', {
    revision,
    not_after: Date.now() + 60_000,
  });
  expect(codeIn(again)).toBe('not_done');
  await until('a line was sent', async () => (await posts(merchant)).length > 0);
  expect((await other.ask(`${BATCHES_PATH}/${batch.id}/stop`, 'POST', {})).status).toBe(200);
  expect((await readBatchView(batch)).batch).toMatchObject({ state: 'paused', why: 'person' });
  await until('no line is being sent', async () => !(await readBatchView(batch)).batch.counts['sending']);
  const sent = (await posts(merchant)).length;
  expect(sent).toBeLessThan(6);
  await startSentBatch(there);
  await until('the batch is done', async () => (await readBatchView(batch)).batch.state === 'done');
  for (const address of batch.addresses) expect((await executed(merchant, address)).to).toBe(1);
  expect(await posts(merchant)).toHaveLength(6);
  const listed = await other.ask(BATCHES_PATH);
  expect(bodyOf<BatchList>(listed).data).toMatchObject([{ id: batch.id, counts: { succeeded: 6 } }]);
});

test('two people paying one address, at once or right after each other: the second is asked to confirm (row 26e)', async () => {
  const merchant = await newMerchant();
  const [one, other] = await twoPeople(merchant);
  for (let round = 0; round < ROUNDS; round += 1) {
    const wish = withdrawalTo();
    const rival = withdrawalTo(wish.address);
    const answers = await Promise.all([one.put(wish), other.put(rival)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const [sent, rejected] = answers[0].status === 201 ? [wish, rival] : [rival, wish];
    expect((await settled(one, sent.key)).operation.state).toBe('succeeded');
    const late = withdrawalTo(wish.address);
    const answer = await other.put(late);
    expect([answer.status, codeIn(answer), sameIn(answer).map(({ id }) => id)]).toEqual([
      409,
      'look_alike',
      [sent.key],
    ]);
    expect((await one.put(rejected)).status, 'a tombstone on every server').toBe(410);
    expect((await executed(merchant, wish.address)).to).toBe(1);
  }
});

test('a read-only server answers about recorded operations, and claims nothing about others', async () => {
  const merchant = await newMerchant();
  const [one] = await twoPeople(merchant);
  const reader = await journal.start(journal.newFolder(), { READ_ONLY: 'true' });
  const person = await signInPerson(reader.baseUrl, merchant);
  const wish = withdrawalTo();
  const unknown = await person.put(wish);
  expect([unknown.status, saysNotSent(unknown)]).toEqual([403, false]);
  const discarded = await person.discard(wish.key);
  expect([discarded.status, saysNotSent(discarded)]).toEqual([403, false]);
  await one.put(wish);
  await settled(one, wish.key);
  const known = await person.put(wish);
  expect([known.status, viewIn(known)?.operation.state]).toEqual([200, 'succeeded']);
  await reader.stop();
});

test('random kills of either server: every key at most once, and exactly once when people are done (row 26b)', async () => {
  const merchants: Merchant[] = [];
  let keys = 0;
  let doubles = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const merchant = await newMerchant();
    merchants.push(merchant);
    const people = await twoPeople(merchant);
    const wishes = Array.from({ length: 6 }, () => withdrawalTo());
    const requests = wishes.map(async (wish, index) => {
      await wait(Math.random() * 60);
      return unlessGone(people[index % 2 === 0 ? 0 : 1].put(wish));
    });
    await someAnswered(requests);
    const victimIndex = Math.random() < 0.5 ? 0 : 1;
    const victim = victimIndex === 0 ? left : right;
    await victim.kill();
    await Promise.all(requests);
    const next = await journal.start(journal.newFolder(), {}, victim.port);
    if (victimIndex === 0) left = next;
    else right = next;
    await until('the service has answered', async () =>
      (await requestsReceived(merchant)).every(({ status }) => status !== null),
    );
    // Ending the leases is only allowed once the surviving server has recorded its answers.
    const survivor = victimIndex === 0 ? 1 : 0;
    for (const [index, wish] of wishes.entries()) {
      if (index % 2 === survivor) await settled(people[survivor], wish.key);
    }
    await journal.endLeases();
    const [one, other] = people;
    for (const wish of wishes) {
      const heard = await other.read(wish.key);
      const arrived = (await posts(merchant)).filter(({ idempotency_key: key }) => key === wish.key);
      expect(arrived.length > 0 && saysNotSent(heard), heard.text).toBe(false);
      expect(arrived.length, 'nobody sends again by itself').toBeLessThanOrEqual(1);
      expect(await resolve(Math.random() < 0.5 ? one : other, wish)).toBe('succeeded');
      const { to } = await executed(merchant, wish.address);
      doubles += Math.max(0, to - 1);
      expect(to).toBe(1);
      keys += 1;
    }
    expect((await executed(merchant)).withdrawals).toBe(wishes.length);
  }
  note('two servers', { kills: KILLS, keys, doubles });
}, 3_600_000);

test('a new server takes the port while the old one still ends its attempts', async () => {
  const merchant = await newMerchant();
  const [person, other] = await twoPeople(merchant);
  await faultFor(merchant, { method: 'POST', ...HELD });
  const wish = withdrawalTo();
  const waiting = withdrawalTo();
  expect(viewIn(await person.put(wish))?.operation.state).toBe('sending');
  await faultFor(merchant, { method: 'GET', path: '/v1/balances', when: 'before', ...HELD });
  const copy = unlessGone(person.put(waiting));
  await until('both are at the service', async () =>
    (await requestsReceived(merchant)).some(({ status }) => status === null),
  );
  const old = left;
  const end = old.stop();
  await until('the port is free', async () => !(await isServed(`${old.baseUrl}/healthz`)));
  left = await journal.start(journal.newFolder(), {}, old.port);
  await release(merchant);
  const heard = [await person.put(wish), await person.put(waiting), await other.put(waiting), await copy];
  expect((await end).code, old.output()).toBe(0);
  expect(viewIn(await other.read(wish.key))?.operation).toMatchObject({ state: 'succeeded', attempts: [{}] });
  await settled(other, waiting.key);
  await journal.endLeases();
  expect((await executed(merchant, wish.address)).to).toBe(1);
  const { to } = await executed(merchant, waiting.address);
  expect(heard.filter((answer) => answer && to > 0 && saysNotSent(answer))).toEqual([]);
  expect(await resolve(other, waiting)).toBe('succeeded');
  expect((await executed(merchant, waiting.address)).to).toBe(1);
});
