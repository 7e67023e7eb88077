import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lineKey } from '#src/shared/contract/batchContract.ts';
import { DEEP } from '#src/tests/depth.ts';
import type { Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { note } from './figures.ts';
import { endLeases, newDirectory, settled, startOn } from './house.ts';
import { recordBatchOfSize, type SentBatch, startSentBatch, readBatchView } from './batches.ts';
import { saysNotSent, signInPerson, viewIn } from './person.ts';
import { executed, newMerchant, posts } from './service.ts';
import { until } from './until.ts';

// More lines than can be sent between the kills.
const LINES = DEEP ? 30 : 12;
const BATCHES = DEEP ? 40 : 1;
/** Kills during each batch; the rest of the batch is then sent undisturbed. */
const KILLS = DEEP ? 5 : 2;
/** A batch sends about two lines a second. */
const LONGEST_MS = 1_500;

const DIRECTORY = newDirectory('batch-kills');

/** Checks that no line which reached the service counts as unsent, and that none reached it twice without a resend. */
async function expectTruth({ merchant, person, id }: SentBatch, resent: ReadonlySet<string>): Promise<void> {
  const arrived = (await posts(merchant)).map(({ idempotency_key: key }) => key);
  for (let line = 2; line < LINES + 2; line += 1) {
    const key = lineKey(id, line);
    const times = arrived.filter((each) => each === key).length;
    const heard = await person.read(key);
    const isUnsent = saysNotSent(heard) || viewIn(heard)?.operation.state === 'awaiting';
    expect(times > 0 && isUnsent, heard.text).toBe(false);
    expect(times, 'sent once, and once more by a person').toBeLessThanOrEqual(resent.has(key) ? KILLS + 1 : 1);
  }
}

/** A person resends what is unconfirmed. */
async function resolveLines(batch: SentBatch, resent: Set<string>): Promise<void> {
  for (const { key, state } of (await readBatchView(batch)).lines) {
    if (state !== 'sending' && state !== 'unconfirmed') continue;
    const view = viewIn(await batch.person.read(key));
    if (view === undefined || view.operation.state === 'succeeded') continue;
    resent.add(key);
    const sent = await batch.person.send(view);
    expect(sent.status, sent.text).toBe(200);
    expect((await settled(batch.person, key)).operation.state).toBe('succeeded');
  }
}

/** Waits for as long as the batch goes on: thirty lines take longer than any other wait here. */
async function untilDone(batch: SentBatch): Promise<void> {
  for (;;) {
    const before = (await readBatchView(batch)).batch;
    if (before.state === 'done') return;
    await until('the batch goes on', async () => {
      const now = (await readBatchView(batch)).batch;
      return now.state === 'done' || now.counts['succeeded'] !== before.counts['succeeded'];
    });
  }
}

async function restart(server: Dashboard): Promise<Dashboard> {
  await endLeases(DIRECTORY);
  return startOn(DIRECTORY, {}, server.port);
}

test(`${BATCHES * KILLS} kills in the middle of a batch: each line is executed once`, async () => {
  let kills = 0;
  for (let n = 0; n < BATCHES; n += 1) {
    const merchant = await newMerchant(40);
    let server = await startOn(DIRECTORY);
    const { withdrawals: before } = await executed(merchant);
    const batch = await recordBatchOfSize(merchant, await signInPerson(server.baseUrl, merchant), LINES);
    const resent = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await startSentBatch(batch);
      await wait(Math.random() * LONGEST_MS);
      await server.kill();
      kills += 1;
      server = await restart(server);
      expect((await readBatchView(batch)).batch.state).toBe('paused');
      await expectTruth(batch, resent);
      await resolveLines(batch, resent);
    }
    await startSentBatch(batch);
    await untilDone(batch);
    await expectTruth(batch, resent);
    expect((await readBatchView(batch)).batch.counts).toEqual({ succeeded: LINES });
    expect((await executed(merchant)).withdrawals - before).toBe(LINES);
    for (const address of batch.addresses) expect((await executed(merchant, address)).to).toBe(1);
    await server.stop();
  }
  note('kills in batches', { kills, batches: BATCHES });
}, 10_000_000);
