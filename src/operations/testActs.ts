import type { Attempt } from '#src/api/http.ts';
import type { WithdrawalFields } from './body.ts';
import { withdrawalRequest } from './kinds.ts';
import type { StartRequest, StartResult } from './outcomes.ts';
import type { OperationRecord } from './record.ts';
import { SENT, type createDevice, quiet } from './testWorld.ts';

// What the tests of this folder do again and again.

export type Device = ReturnType<typeof createDevice>;
type Tab = ReturnType<Device['tab']>;

export interface Asked extends WithdrawalFields {
  key: string;
  secondSendOf: string[];
}

export const HOUR = 3_600_000;

/** A withdrawal as the form asks for it. */
export function request(more: Partial<Asked> = {}): StartRequest {
  const { key, secondSendOf, ...fields } = { ...SENT, key: 'key-1', secondSendOf: [], ...more };
  return withdrawalRequest(key, fields, secondSendOf);
}

/** Starts it and waits until its attempts of this page are over. */
export async function started(
  device: Device,
  { tab = device.tab(), asks = request() }: { tab?: Tab; asks?: StartRequest } = {},
): Promise<{ tab: Tab; result: StartResult; id: string }> {
  const result = await tab.start(asks);
  await tab.settled();
  await quiet();
  return { tab, result, id: 'id' in result ? result.id : '' };
}

/** POSTs that are answered when the test says so. */
export function held(device: Device): { answer: (attempt: Attempt) => void } {
  let release: (attempt: Attempt) => void = () => undefined;
  const waiting = new Promise<Attempt>((resolve) => {
    release = resolve;
  });
  device.post = () => waiting;
  return { answer: (attempt) => release(attempt) };
}

/** The first record of the journal. */
export function recorded(device: Device): OperationRecord {
  const [record] = device.rows();
  if (!record) throw new Error('Nothing is recorded.');
  return record;
}
