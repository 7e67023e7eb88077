import type { Attempt } from '#src/shared/answers.ts';
import type { NotSent, UnreadableOperation } from '#src/shared/contract/gatewayContract.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import type { Clocks, OperationRecord } from '#src/shared/operations/record.ts';
import { holdsDuplicateKey, type OperationState } from '#src/shared/operations/states.ts';
import type { Instant } from './events.ts';

/** A clock of this server, as one account lives by it. */
export interface Clock {
  /** Milliseconds: it may be wrong, and may jump. */
  wall: () => number;
  /** Milliseconds that only go on; may stand still while the machine sleeps. */
  mono: () => number;
  /** Returns what cancels it. */
  later: (act: () => void, ms: number) => () => void;
  /** How far this account's time is ahead of the machine's, which is the database's too; milliseconds, 0 but in the sandbox. */
  shift: () => number;
}

/** A POST as it was recorded. */
export interface SentAttempt {
  path: string;
  /** The exact bytes. */
  body: string;
  /** Idempotency-Key. */
  key: string;
  /** X-Attempt, for the embedded sandbox alone. */
  attempt: string;
}

/** One request on a socket of its own, which is connected. */
export interface Connection {
  /** Hands over the bytes before it returns, and tells what came of them; never throws. */
  post: (sent: SentAttempt) => Promise<Attempt>;
  destroy: () => void;
}

export interface ServicePort {
  /** The service's normalised base address, or "sandbox". */
  name: string;
  /** One whole answer to one GET, of 4 MB at most, in `timeoutMs` (10 s when absent); never throws. `target`: path and query. */
  read: (apiKey: string, target: string, timeoutMs?: number) => Promise<Attempt>;
  /** Rejects where no connection was made: then nothing left. */
  connect: (apiKey: string) => Promise<Connection>;
}

/** Moments at which a crash test ends the process: within a turn the first and the last, the others between two. */
export const OPERATION_STEPS = [
  'recording',
  'recorded',
  'connected',
  'sending',
  'sent',
  'answered',
  'settled',
  'sweeping',
] as const;
export type OperationStep = (typeof OPERATION_STEPS)[number];

export interface Ports {
  rows: Rows;
  service: ServicePort;
  /** 0 to 1, for jitter. */
  random: () => number;
  newAttemptId: () => string;
  /** Accounts have nothing to do with each other (ACCOUNTS=separate, and the sandbox). */
  separateAccounts: boolean;
  /** The journal and the service are one database, so one cannot be set back without the other. */
  neverSetBack: boolean;
  marks: MarkCodec;
  lastMark: MarkStore;
  /** Logs one line for the operator. */
  warn: (line: string) => void;
  /** Called at each step, for crash tests. */
  crashPoint?: (step: OperationStep) => void;
}

export interface Actor {
  account: string;
  /** null: the service refuses it, so there is nothing but to see and to close. */
  apiKey: string | null;
  /** The name given at sign-in, unproven. */
  who: string | null;
  readOnly: boolean;
  clock: Clock;
}

export type Sender = Actor & { apiKey: string };

/** Now by the clocks of this server and of its database, as the actor lives by them; milliseconds. */
export function instantOf({ clock }: Actor, facts: { now: number }): Instant {
  return { server: clock.wall(), database: facts.now + clock.shift() };
}

export function momentOf({ wall, mono }: Clock) {
  return { wall: wall(), mono: mono() };
}

/** Milliseconds since then, by the clock that tells more: one stands still while the machine sleeps, the other may be set. */
export function passedSince({ wall, mono }: Clock, moment: ReturnType<typeof momentOf>): number {
  return Math.max(Math.abs(wall() - moment.wall), mono() - moment.mono);
}

// The journal's rules are written once over this port; SQL and a map in memory are its two ends.

export type UnreadableRow = UnreadableOperation & JournalOwner;

/** A row as it was read: the record, or what is left of one that this version cannot read. */
export type OperationRow = {
  place: string;
  /** The journal's position at the write that recorded it. */
  seq: bigint;
} & ({ record: OperationRecord; unreadable?: undefined } | { record?: undefined; unreadable: UnreadableRow });

export interface JournalOwner {
  service: string;
  account: string;
}

export function keyOf(row: OperationRow): string {
  return (row.record ?? row.unreadable).key;
}

export function isOf(row: OperationRow, { service, account }: JournalOwner): boolean {
  const owner = row.record ?? row.unreadable;
  return owner.service === service && owner.account === account;
}

export function blocksDuplicateKey({ record, unreadable }: OperationRow): boolean {
  return record ? holdsDuplicateKey(record.state) : unreadable.closed === null;
}

/** Written for a key that must never send anything. */
export interface Tombstone extends JournalOwner {
  key: string;
  /** nobody-knows: written after a set-back, so an earlier copy of the request may have been sent. */
  why: NotSent['why'] | 'nobody-knows';
  /** The database's clock, milliseconds. */
  at: number;
}

/** The maximum of PostgreSQL's bigint, in which positions are stored. */
export const POSITION_MAX = 2n ** 63n - 1n;

/** One write to one journal. */
export interface JournalMark {
  /** The journal's id; a new one each time a set-back is found. */
  id: string;
  /** Writes so far, this one included. */
  position: bigint;
  /** Random: tells apart two histories of one journal that reached the same position. */
  nonce: string;
}

/** Marks as they travel in headers and cookies, signed with the server's secret. */
export interface MarkCodec {
  write: (mark: JournalMark) => string;
  /** null: not written by this server for this service. */
  read: (text: string) => JournalMark | null;
}

/** Keeps this server's last mark, so that after a restart it notices a database that was set back. */
export interface MarkStore {
  /** The last marks at its start, in no order; none at a first start. */
  read: () => readonly string[];
  /** Resolves when it would survive a power cut, or can't be written, which it reports itself; never rejects. */
  keep: (mark: string) => Promise<void>;
}

export interface JournalFacts extends JournalMark {
  /** The database's clock, milliseconds. */
  now: number;
  /** When the set-back was noticed, by the database's clock; null if there was none. */
  setBackAt: number | null;
  /** The position of the write that noted it. Rows of earlier positions may have changed in the lost part. */
  setBackPosition: bigint | null;
}

export interface ServiceReads {
  facts: () => Promise<JournalFacts>;
  /** The mark's id must be the journal's present one. */
  hasMark: (mark: JournalMark) => Promise<boolean>;
  /** Whether the journal had this id before a set-back that was already noted. */
  isFormerId: (id: string) => Promise<boolean>;
  byKey: (key: string) => Promise<OperationRow | null>;
  tombstone: (key: string) => Promise<Tombstone | null>;
  /** Rows of every service and account: unresolved, or ended after `since` by any of its clocks (null: at any time). */
  byDuplicateKey: (place: string, since: Clocks | null) => Promise<OperationRow[]>;
  /** The key that has this withdrawal id, under any spelling of the service's address. */
  keyOfResult: (service: string, id: string) => Promise<string | null>;
}

/** Serialised: no other writer's transaction overlaps it. */
export interface WriteTransaction extends ServiceReads {
  unresolvedCount: (owner: JournalOwner) => Promise<number>;
  ready: () => Promise<OperationRecord[]>;
  insert: (record: OperationRecord, place: string) => Promise<void>;
  /** `before`: as it was read in this transaction. */
  replace: (next: OperationRecord, before: OperationRecord) => Promise<void>;
  writeTombstone: (tombstone: Tombstone) => Promise<void>;
  /** A person closed what cannot be read, beside the row. */
  closeUnreadable: (key: string, closing: { words: string; who: string | null; at: number }) => Promise<void>;
  /** Another key of the account read a withdrawal that was recorded under this key. */
  show: (key: string, account: string) => Promise<void>;
  /** Notes that the journal was set back, shown by a mark that isn't in its history, and gives it a new id. */
  setBack: (at: number, mark: JournalMark) => Promise<void>;
  endSetBack: (words: string) => Promise<void>;
}

export interface ListedRows {
  rows: OperationRow[];
  /** Pass it back for the next page; null: this was the last one. */
  next: string | null;
}

export interface OperationListQuery extends JournalOwner {
  states: readonly OperationState[] | null;
  kind: OperationKind | null;
  /** Only those that name it: as result, as what was sent again, or as the delivery that was replayed. */
  about: string | null;
  cursor: string | null;
  limit: number;
}

export interface Rows extends ServiceReads {
  /** Runs the work in the next turn; throws JournalAway where nothing was written, JournalUnsure where that is not known. */
  write: <T>(work: (turn: WriteTransaction) => Promise<T>) => Promise<T>;
  /** The account's operations and those shared with it, newest first. */
  list: (query: OperationListQuery) => Promise<ListedRows>;
  /** Operations of other accounts with a withdrawal id, newest first. An API key that can read the withdrawal proves that it belongs to the same account. */
  ofOthers: (owner: JournalOwner, limit: number) => Promise<OperationRecord[]>;
  isShownTo: (key: string, account: string) => Promise<boolean>;
  hasAccount: (owner: JournalOwner) => Promise<boolean>;
}

/** The database cannot be reached, or refused: nothing was written. */
export class JournalAway extends Error {
  override name = 'JournalAway';
}

/** Commit status unknown: read back before reporting. */
export class JournalUnsure extends Error {
  override name = 'JournalUnsure';
}
