import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCHES_PATH, type BatchView } from '#src/shared/contract/batchContract.ts';
import { DEEP } from '#src/tests/depth.ts';
import { bodyOf, sendTo } from '#src/tests/contract/http.ts';
import type { Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { expectTruth, type Resends, resolveLines } from './batchKills.ts';
import { recordBatchOfSize, type SentBatch, startSentBatch, readBatchView } from './batches.ts';
import { note } from './figures.ts';
import { type SignedInPerson, signInPerson } from './person.ts';
import { unlessGone } from './resolve.ts';
import { faultFor, type Merchant, newMerchant, requestsReceived, serviceUrl } from './service.ts';
import { shareJournal, type SharedJournal } from './shared.ts';
import { until } from './until.ts';

// Two servers share a PostgreSQL. The one that sends a batch is killed again and again, until the batch has ended.

const KILLS = DEEP ? 200 : 20;
const LINES = 12;
/** A batch sends about two lines a second. */
const LONGEST_RUN_MS = 1_500;
const LONGEST_AFTER_STOP_MS = 1_000;
/** The service takes its time, so that many kills hit a line that is under way. */
const SLOW = { method: 'POST', path: '/v1/withdrawals', delay: 200, times: 1_000 };

let journal: SharedJournal;
let servers: Dashboard[];
/** The server that sends next. The other one was killed before, and may still be starting. */
let sender = 0;
let restarted: Promise<void> = Promise.resolve();
const count = { kills: 0, stops: 0, batches: 0, withdrawn: 0, lines: 0, resends: 0, doubles: 0, 'after Stop': 0 };

beforeAll(async () => {
  journal = await shareJournal();
  servers = await Promise.all([1, 2].map(() => journal.start(journal.newFolder())));
});
afterAll(async () => {
  await restarted;
  await Promise.all(servers.map((server) => server.stop()));
  await journal.stop();
});

/** A batch, and the same person signed in on each server. */
interface SharedBatch {
  batch: SentBatch;
  people: SignedInPerson[];
  resends: Resends;
  /** Lines that were withdrawn. */
  withdrawn: string[];
}

const isChosen = (): boolean => Math.random() < 0.5;
/** The batch as the person sees it on a server. */
const on = ({ batch, people }: SharedBatch, server = sender): SentBatch => ({
  ...batch,
  person: people[server] ?? batch.person,
});

/** The destinations of this merchant's withdrawals, as the service lists them. */
async function paidAddresses({ key }: Merchant): Promise<string[]> {
  const listed = await sendTo(serviceUrl, '/v1/withdrawals?limit=100', { headers: { 'x-api-key': key } });
  return bodyOf<{ data: { address: string }[] }>(listed).data.map(({ address }) => address);
}

/** Checks that the service executed no line twice; returns the keys of those that it executed. */
async function executedLines({ merchant, addresses, id }: SentBatch): Promise<Set<string>> {
  const paid = await paidAddresses(merchant);
  count.doubles += paid.length - new Set(paid).size;
  expect(paid, 'each line at most once').toHaveLength(new Set(paid).size);
  return new Set(paid.map((address) => `${id}.${addresses.indexOf(address) + 2}`));
}

const waitingIn = ({ lines }: BatchView): string[] =>
  lines.filter(({ state }) => state === 'awaiting').map(({ key }) => key);

/** Null if the server didn't confirm it. */
async function end({ person, id }: SentBatch, how: 'stop' | 'withdraw'): Promise<BatchView | null> {
  const answer = await unlessGone(person.ask(`${BATCHES_PATH}/${id}/${how}`, 'POST', {}));
  return answer?.status === 200 ? bodyOf<BatchView>(answer) : null;
}

/** Checks that no line was executed that still waited when the server confirmed the Stop. */
async function expectStopped(batch: SentBatch, stopped: BatchView): Promise<void> {
  count.stops += 1;
  expect(stopped.batch.counts['sending'] ?? 0, 'lines under way at the Stop').toBeLessThanOrEqual(1);
  const executed = await executedLines(batch);
  const late = waitingIn(stopped).filter((key) => executed.has(key));
  count['after Stop'] += late.length;
  expect(late, 'executed after a confirmed Stop').toEqual([]);
}

async function restart(server: number): Promise<void> {
  servers[server] = await journal.start(journal.newFolder(), {}, servers[server]?.port);
}

/** Sends a part of the batch, kills its server in the middle, and lets people resolve on the other one what is unconfirmed. */
async function killMeanwhile(shared: SharedBatch): Promise<void> {
  const victim = sender;
  const other = 1 - victim;
  await startSentBatch(on(shared, victim));
  await Promise.all([wait(Math.random() * LONGEST_RUN_MS), restarted]);
  const stopping = isChosen() ? end(on(shared, isChosen() ? victim : other), 'stop') : null;
  if (stopping) await wait(Math.random() * LONGEST_AFTER_STOP_MS);
  await servers[victim]?.kill();
  sender = other;
  const stopped = await stopping;
  restarted = restart(victim);
  const batch = on(shared);
  await until('the service has answered', async () =>
    (await requestsReceived(batch.merchant)).every(({ status }) => status !== null),
  );
  if (stopped) await expectStopped(batch, stopped);
  await journal.endLeases();
  await expectTruth(batch, shared.resends);
  const { lines } = await readBatchView(batch);
  if (lines.some(({ state }) => state !== 'succeeded')) count.kills += 1;
  await resolveLines(batch, shared.resends);
  await executedLines(batch);
}

/** Checks what the batch says at its end against what the service executed. */
async function expectEnd(shared: SharedBatch): Promise<void> {
  const { withdrawn, resends } = shared;
  const batch = on(shared);
  const { lines, batch: summary } = await readBatchView(batch);
  expect(summary.state, JSON.stringify(summary)).toBe(withdrawn.length > 0 ? 'stopped' : 'done');
  const paid = await executedLines(batch);
  for (const { key, state } of lines) {
    expect([key, state]).toEqual([key, withdrawn.includes(key) ? 'not-sent' : 'succeeded']);
    expect([key, paid.has(key)]).toEqual([key, !withdrawn.includes(key)]);
  }
  count.batches += 1;
  count.lines += lines.length;
  count.withdrawn += withdrawn.length;
  for (const times of resends.values()) count.resends += times;
}

test(`${KILLS} kills in the middle of a batch: each line at most once, none after a Stop, each batch ends`, async () => {
  while (count.kills < KILLS) {
    const merchant = await newMerchant();
    await faultFor(merchant, { ...SLOW, when: isChosen() ? 'before' : 'after' });
    await restarted;
    const people = await Promise.all(servers.map(({ baseUrl }) => signInPerson(baseUrl, merchant)));
    const [person] = people;
    if (person === undefined) throw new Error('There is no server.');
    const batch = await recordBatchOfSize(merchant, person, LINES);
    const shared: SharedBatch = { batch, people, resends: new Map(), withdrawn: [] };
    const isWithdrawn = isChosen();
    for (let left = LINES; left > 0; left = waitingIn(await readBatchView(on(shared))).length) {
      if (isWithdrawn && left < LINES / 2) {
        const ended = await end(on(shared), 'withdraw');
        shared.withdrawn = (ended?.lines ?? []).flatMap(({ state, key }) => (state === 'not-sent' ? key : []));
      } else await killMeanwhile(shared);
    }
    await expectEnd(shared);
  }
  note('kills in batches on PostgreSQL', count);
}, 10_000_000);
