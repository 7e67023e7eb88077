import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEEP } from '#src/tests/depth.ts';
import type { Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { note } from './figures.ts';
import { endLeases, newDirectory, startOn } from './house.ts';
import { expectTruth, type Resends, resolveLines, untilDone } from './batchKills.ts';
import { recordBatchOfSize, startSentBatch, readBatchView } from './batches.ts';
import { signInPerson } from './person.ts';
import { executed, newMerchant } from './service.ts';

// More lines than can be sent between the kills.
const LINES = DEEP ? 30 : 12;
const BATCHES = DEEP ? 40 : 1;
/** Kills during each batch; the rest of the batch is then sent undisturbed. */
const KILLS = DEEP ? 5 : 2;
/** A batch sends about two lines a second. */
const LONGEST_MS = 1_500;

const DIRECTORY = newDirectory('batch-kills');

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
    const resends: Resends = new Map();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await startSentBatch(batch);
      await wait(Math.random() * LONGEST_MS);
      await server.kill();
      kills += 1;
      server = await restart(server);
      expect((await readBatchView(batch)).batch.state).toBe('paused');
      await expectTruth(batch, resends);
      await resolveLines(batch, resends);
    }
    await startSentBatch(batch);
    await untilDone(batch);
    await expectTruth(batch, resends);
    expect((await readBatchView(batch)).batch.counts).toEqual({ succeeded: LINES });
    expect((await executed(merchant)).withdrawals - before).toBe(LINES);
    for (const address of batch.addresses) expect((await executed(merchant, address)).to).toBe(1);
    await server.stop();
  }
  note('kills in batches', { kills, batches: BATCHES });
}, 10_000_000);
