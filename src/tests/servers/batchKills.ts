import { expect } from 'vitest';
import { saysNotSent, viewIn } from './person.ts';
import { type SentBatch, readBatchView } from './batches.ts';
import { settled } from './house.ts';
import { posts } from './service.ts';
import { until } from './until.ts';

/** How many times a person resent each line, by its key. */
export type Resends = Map<string, number>;

/** Checks that no line which reached the service counts as unsent, and that none reached it twice without a resend. */
export async function expectTruth(batch: SentBatch, resends: Resends): Promise<void> {
  const { lines } = await readBatchView(batch);
  const arrived = (await posts(batch.merchant)).map(({ idempotency_key: key }) => key);
  for (const { key } of lines) {
    const times = arrived.filter((each) => each === key).length;
    const heard = await batch.person.read(key);
    const isUnsent = saysNotSent(heard) || viewIn(heard)?.operation.state === 'awaiting';
    expect(times > 0 && isUnsent, heard.text).toBe(false);
    expect(times, 'sent once, and once more for each resend').toBeLessThanOrEqual(1 + (resends.get(key) ?? 0));
  }
}

/** A person resends what is unconfirmed. */
export async function resolveLines(batch: SentBatch, resends: Resends): Promise<void> {
  for (const { key, state } of (await readBatchView(batch)).lines) {
    if (state !== 'sending' && state !== 'unconfirmed') continue;
    const view = viewIn(await batch.person.read(key));
    if (view === undefined || view.operation.state === 'succeeded') continue;
    resends.set(key, 1 + (resends.get(key) ?? 0));
    const sent = await batch.person.send(view);
    expect(sent.status, sent.text).toBe(200);
    expect((await settled(batch.person, key)).operation.state).toBe('succeeded');
  }
}

/** Waits for as long as the batch goes on: thirty lines take longer than any other wait here. */
export async function untilDone(batch: SentBatch): Promise<void> {
  for (;;) {
    const before = (await readBatchView(batch)).batch;
    if (before.state === 'done') return;
    await until('the batch goes on', async () => {
      const now = (await readBatchView(batch)).batch;
      return now.state === 'done' || now.counts['succeeded'] !== before.counts['succeeded'];
    });
  }
}
