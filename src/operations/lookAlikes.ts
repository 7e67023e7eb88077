import { readWithdrawalBody } from './body.ts';
import { placeOf } from './kinds.ts';
import type { Sameness } from './operations.ts';
import type { SameSend } from './outcomes.ts';
import { type DamagedRecord, type OperationKind, type OperationRecord, isUnresolved } from './record.ts';

/** An earlier withdrawal asks for the second-send step for so long; seconds. */
export const SAME_SEND_SECONDS = 24 * 60 * 60;

export interface Candidate {
  kind: OperationKind;
  service: string;
  account: string;
  /** null while only looking: no key is used yet. */
  key: string | null;
  /** placeOf() what is to be sent; null: no other operation stands in its way. */
  place: string | null;
  /** Unix seconds by the service's clock. */
  now: number;
  /** What the person saw and confirmed. */
  secondSendOf: readonly string[];
}

export function candidateOf(record: OperationRecord): Candidate {
  const { kind, service, account, key, firstSentAt: now, secondSendOf } = record;
  return { kind, service, account, key, place: placeOf(record), now, secondSendOf };
}

/** What stands in the way of a new operation among everything that this browser recorded, of all accounts of the service. */
export function lookAlikes(
  { records, damaged }: { records: readonly OperationRecord[]; damaged: readonly DamagedRecord[] },
  candidate: Candidate,
): Sameness {
  const ours = records.filter(({ service }) => service === candidate.service);
  const used = ours.find(({ key }) => key === candidate.key);
  if (used) return { existing: existing(used, candidate), of: [] };
  if (candidate.place === null) return { existing: null, of: [] };
  const same = ours.filter((record) => placeOf(record) === candidate.place);
  const unresolved = same.filter(({ state }) => isUnresolved(state));
  // One that this session can open comes first.
  const first = unresolved.find(({ account }) => account === candidate.account) ?? unresolved[0];
  if (first) return { existing: existing(first, candidate), of: [] };
  const unreadable = damaged.filter((record) => isFor(record, candidate));
  const broken = unreadable.find(({ closed }) => closed === undefined);
  if (broken) {
    const foreign = broken.account !== null && broken.account !== candidate.account;
    return { existing: { id: broken.id, foreign, damaged: true }, of: [] };
  }
  const of = [
    ...same.filter((record) => isRecent(record, candidate.now)).map((record) => sameSend(record, candidate)),
    ...unreadable
      .filter(({ closed }) => closed !== undefined && candidate.now - closed.date < SAME_SEND_SECONDS)
      .map(({ id }) => onlyThat(id)),
  ];
  return { existing: null, of: of.filter(({ id }) => !candidate.secondSendOf.includes(id)) };
}

function existing({ id, account }: OperationRecord, candidate: Candidate): NonNullable<Sameness['existing']> {
  return { id, foreign: account !== candidate.account, damaged: false };
}

/** One that cannot be read may be a withdrawal to anywhere, so it is for every withdrawal; never for anything else. */
function isFor(record: DamagedRecord, candidate: Candidate): boolean {
  if (record.service !== null && record.service !== candidate.service) return false;
  if (record.blocks === null) return candidate.kind === 'withdrawal';
  return candidate.place !== null && record.blocks.includes(candidate.place);
}

/** A webhook delivery that was ever replayed is shown; a payment within 24 hours. */
function isRecent(record: OperationRecord, now: number): boolean {
  return record.kind === 'webhook-replay' ? mayBeDone(record) : mattersStill(record, now);
}

/** Whether it ended within 24 hours as something that may have paid; one closed while the service's clock was not known did. */
export function mattersStill(record: OperationRecord, now: number): boolean {
  const { state, firstSentAt, endedAt } = record;
  if (!mayBeDone(record)) return false;
  if (state === 'closed' && endedAt === undefined) return true;
  return now - Math.max(firstSentAt, endedAt ?? firstSentAt) < SAME_SEND_SECONDS;
}

function mayBeDone({ state }: OperationRecord): boolean {
  return state === 'succeeded' || state === 'closed';
}

function sameSend({ id, account, body, firstSentAt, state }: OperationRecord, candidate: Candidate): SameSend {
  if (account !== candidate.account) return onlyThat(id);
  const amount = readWithdrawalBody(body)?.amount ?? null;
  return { source: 'journal', id, foreign: false, amount, createdAt: firstSentAt, status: state };
}

/** Of another account's, and of what cannot be read, only that it exists is told. */
function onlyThat(id: string): SameSend {
  return { source: 'journal', id, foreign: true, amount: null, createdAt: null, status: null };
}
