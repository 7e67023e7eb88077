import { readWithdrawalBody } from './body.ts';
import type { Sameness } from './operations.ts';
import type { SameSend } from './outcomes.ts';
import { type DamagedRecord, type OperationRecord, isUnresolved } from './record.ts';
import { destinationForm } from './sameSend.ts';

/** An earlier withdrawal asks for the second-send step for so long; seconds. */
export const SAME_SEND_SECONDS = 24 * 60 * 60;

export interface Candidate {
  service: string;
  account: string;
  /** null while only looking: no key is used yet. */
  key: string | null;
  destination: string;
  /** Unix seconds by the service's clock. */
  now: number;
  /** What the person saw and confirmed. */
  secondSendOf: readonly string[];
}

/** What stands in the way of a new withdrawal among everything that this browser recorded, of all accounts of the service. */
export function lookAlikes(
  { records, damaged }: { records: readonly OperationRecord[]; damaged: readonly DamagedRecord[] },
  candidate: Candidate,
): Sameness {
  const ours = records.filter(({ service }) => service === candidate.service);
  const used = ours.find(({ key }) => key === candidate.key);
  if (used) return { existing: existing(used, candidate), of: [] };
  const same = ours.filter((record) => destinationOf(record) === candidate.destination);
  const unresolved = same.filter(({ state }) => isUnresolved(state));
  // One that this session can open comes first.
  const first = unresolved.find(({ account }) => account === candidate.account) ?? unresolved[0];
  if (first) return { existing: existing(first, candidate), of: [] };
  const broken = damaged.find((record) => blocks(record, candidate));
  if (broken) {
    const foreign = broken.account !== null && broken.account !== candidate.account;
    return { existing: { id: foreign ? null : broken.id, foreign, damaged: true }, of: [] };
  }
  const of = same.filter((record) => isRecent(record, candidate.now)).map((record) => sameSend(record, candidate));
  return { existing: null, of: of.filter(({ id }) => !candidate.secondSendOf.includes(id)) };
}

function existing({ id, account }: OperationRecord, candidate: Candidate): NonNullable<Sameness['existing']> {
  const foreign = account !== candidate.account;
  return { id: foreign ? null : id, foreign, damaged: false };
}

function destinationOf({ body }: OperationRecord): string | null {
  const fields = readWithdrawalBody(body);
  return fields === null ? null : destinationForm(fields);
}

function blocks(record: DamagedRecord, candidate: Candidate): boolean {
  if (record.service !== null && record.service !== candidate.service) return false;
  return record.blocks === null || record.blocks.includes(candidate.destination);
}

function isRecent({ state, firstSentAt, endedAt }: OperationRecord, now: number): boolean {
  if (state !== 'succeeded' && state !== 'closed') return false;
  return now - Math.max(firstSentAt, endedAt ?? firstSentAt) < SAME_SEND_SECONDS;
}

function sameSend({ id, account, body, firstSentAt, state }: OperationRecord, candidate: Candidate): SameSend {
  if (account !== candidate.account) {
    return { source: 'journal', id, foreign: true, amount: null, createdAt: null, status: null };
  }
  const amount = readWithdrawalBody(body)?.amount ?? null;
  return { source: 'journal', id, foreign: false, amount, createdAt: firstSentAt, status: state };
}
