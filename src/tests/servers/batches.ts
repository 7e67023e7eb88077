import { expect } from 'vitest';
import { BATCHES_PATH, type BatchView } from '#src/shared/contract/batchContract.ts';
import { newKey } from '#src/shared/operations/random.ts';
import { bodyOf } from '#src/tests/contract/http.ts';
import { type SignedInPerson, withdrawalTo } from './person.ts';
import type { Merchant } from './service.ts';

const HOLDS_MS = 110_000;

export interface SentBatch {
  id: string;
  merchant: Merchant;
  person: SignedInPerson;
  addresses: string[];
}

/** Records a batch, whose lines have the numbers 2, 3 and so on. */
export async function recordBatchOfSize(merchant: Merchant, person: SignedInPerson, size: number): Promise<SentBatch> {
  const id = newKey();
  const wishes = Array.from({ length: size }, () => withdrawalTo());
  const lines = wishes.map(({ body }, index) => ({
    ...{ line: index + 2, body, recipient: null, reference: null },
    second_send_of: [],
  }));
  const file = { name: 'suppliers.csv', text: 'address,amount' };
  const sent = { lines, file, again: null, not_after: Date.now() + HOLDS_MS };
  const recorded = await person.ask(`${BATCHES_PATH}/${id}`, 'PUT', sent);
  expect(recorded.status, recorded.text).toBe(201);
  return { id, merchant, person, addresses: wishes.map(({ address }) => address) };
}

export async function readBatchView({ person, id }: SentBatch): Promise<BatchView> {
  return bodyOf<BatchView>(await person.ask(`${BATCHES_PATH}/${id}`));
}

export async function startSentBatch(batch: SentBatch): Promise<void> {
  const { revision } = (await readBatchView(batch)).batch;
  const start = { revision, not_after: Date.now() + HOLDS_MS };
  const started = await batch.person.ask(`${BATCHES_PATH}/${batch.id}/start`, 'POST', start);
  expect(started.status, started.text).toBe(200);
}
