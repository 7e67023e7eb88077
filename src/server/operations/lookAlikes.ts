import type { EarlierSends, EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import {
  type Clocks,
  type OperationRecord,
  knownResultId,
  hadUnreadableSuccess,
} from '#src/shared/operations/record.ts';
import { STATES, isUnresolved } from '#src/shared/operations/states.ts';
import { outcomeOf } from '#src/shared/operations/withdrawal.ts';
import { hasPassed } from './clocks.ts';
import {
  type AccountOwner,
  blocksDuplicateKey,
  type EndedSince,
  isOf,
  type JournalFacts,
  keyOf,
  type OperationRow,
} from './ports.ts';
import { sha256 } from './rowText.ts';

export interface Candidate extends AccountOwner {
  kind: OperationKind;
  now: Clocks;
  secondSendOf: readonly string[];
  /** Key of the candidate's own row, which is left out. */
  key?: string;
  /** Set for a line of a batch. */
  batch?: OperationRecord['batch'] | undefined;
  /** Unrelated accounts: other accounts' operations are not even counted. */
  separateAccounts: boolean;
}

/** Which rows with the same duplicate key block a new operation, or must be confirmed first. */
export function lookAlikes(rows: readonly OperationRow[], candidate: Candidate, facts: JournalFacts): EarlierSends {
  const own = rows.filter((row) => isOf(row, candidate) && keyOf(row) !== candidate.key);
  const held = own.find(blocksDuplicateKey);
  if (held) return { existing: keyOf(held), of: [] };
  const earlier = own.filter((row) => asksStill(row, candidate) || mayBeApproved(row, candidate)).map(sameSend);
  const others = candidate.separateAccounts
    ? []
    : rows.filter((row) => !isOf(row, candidate) && matters(row, candidate));
  const of = [...earlier, ...countOf(others), ...setBack(facts)];
  return { existing: null, of: of.filter(({ id }) => !candidate.secondSendOf.includes(id)) };
}

/** Finished rows of this kind since these times must be confirmed; null for all. */
export function askingSince({ kind, now }: Pick<Candidate, 'kind' | 'now'>): EndedSince | null {
  const { asksAgainWithin, asksAgainIfClosed } = KIND[kind];
  if (!Number.isFinite(asksAgainWithin)) return null;
  return { proven: secondsBefore(now, asksAgainWithin), unproven: secondsBefore(now, asksAgainIfClosed) };
}

function secondsBefore({ service, server, database }: Clocks, seconds: number): Clocks {
  const ms = seconds * 1_000;
  return { service: service - seconds, server: server - ms, database: database - ms };
}

/** Rows of other accounts or other spellings of the host may be the same money, so they are counted. */
function matters(row: OperationRow, candidate: Candidate): boolean {
  return (row.record !== undefined && isUnresolved(row.record.state)) || asksStill(row, candidate);
}

function asksStill({ record, unreadable }: OperationRow, { kind, now }: Candidate): boolean {
  const { asksAgainWithin, asksAgainIfClosed } = KIND[kind];
  if (record === undefined) {
    return unreadable.closed === null || now.server - unreadable.closed.at < asksAgainIfClosed * 1_000;
  }
  const within = STATES[record.state].isOutcomeOpen ? asksAgainIfClosed : asksAgainWithin;
  return countsAsDone(record) && (record.ended === undefined || !hasPassed(record.ended, now, within));
}

/** It waits for approvals, so it may be sent at any moment. Lines of two batches don't wait for each other. */
function mayBeApproved({ record }: OperationRow, { batch }: Candidate): boolean {
  if (record?.state !== 'awaiting' || record.approval === undefined) return false;
  return record.batch === undefined || batch === undefined;
}

/** An operation that ended as "not sent" but was executed counts as done. */
function countsAsDone(record: OperationRecord): boolean {
  const { state, result } = record;
  if (STATES[state].countsAsDone) return true;
  return (
    result !== undefined || (!isUnresolved(state) && (knownResultId(record) !== null || hadUnreadableSuccess(record)))
  );
}

function sameSend({ record, unreadable }: OperationRow): EarlierSend {
  const none = { source: 'journal' as const, count: null, amount: null };
  if (record === undefined) {
    return { ...none, id: unreadable.key, createdAt: unreadable.firstSentAt, status: 'closed' };
  }
  const { amount } = KIND[record.kind].aboutOf(record);
  return { ...none, id: record.key, amount, createdAt: record.firstSent.service, status: outcomeOf(record) };
}

/** Reveals only their number. The id is a hash of their keys, so a new one has to be confirmed again. */
function countOf(rows: readonly OperationRow[]): EarlierSend[] {
  if (rows.length === 0) return [];
  const keys = rows.map(keyOf).sort();
  const id = `others_${sha256(JSON.stringify(keys)).slice(0, 32)}`;
  return [{ source: 'others', id, count: rows.length, amount: null, createdAt: null, status: null }];
}

/** After a set-back, the same payment may have been sent in the lost part of the journal. */
function setBack({ id, setBackAt }: JournalFacts): EarlierSend[] {
  if (setBackAt === null) return [];
  const createdAt = Math.floor(setBackAt / 1_000);
  return [
    { source: 'set-back', id: `set-back_${id}_${setBackAt}`, count: null, amount: null, createdAt, status: null },
  ];
}
