import type { Act, ActBy } from '#src/server/activity/activityLog.ts';
import type { Actor, SessionRights } from '#src/server/people/actor.ts';
import type {
  ApprovedBy,
  NotApproved,
  Rejection,
  Signature,
  StoppedBy,
  ToSign,
} from '#src/server/people/signatures.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import type { BatchReason, BatchState } from '#src/shared/contract/batchContract.ts';
import type { NotSent, UnreadableOperation } from '#src/shared/contract/gatewayContract.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import type { Clocks, OperationRecord } from '#src/shared/operations/record.ts';
import type { ApprovalNeed } from '#src/shared/policy/approvalNeed.ts';
import { holdsDuplicateKey, type OperationState } from '#src/shared/operations/states.ts';
import type { Instant } from './events.ts';

/** The server's clock for one account. */
export interface Clock {
  /** Milliseconds; may be wrong and may jump. */
  wall: () => number;
  /** Monotonic milliseconds; may stop while the machine sleeps. */
  mono: () => number;
  /** Returns a function that cancels it. */
  later: (act: () => void, ms: number) => () => void;
  /** How far this account's time is ahead of the machine's and the database's, in ms; 0 except in the sandbox. */
  shift: () => number;
}

/** A POST as it was recorded. */
export interface RecordedPost {
  path: string;
  /** The exact bytes. */
  body: string;
  /** Idempotency-Key. */
  key: string;
  /** X-Attempt, only for the embedded sandbox. */
  attempt: string;
}

/** One request on a connected, dedicated socket. */
export interface Connection {
  /** Hands over the bytes before it returns. Resolves with the result and never rejects. */
  post: (sent: RecordedPost) => Promise<AttemptResult>;
  destroy: () => void;
}

export interface ServicePort {
  /** The service's normalised base address, or "sandbox". */
  name: string;
  /** The complete response to a GET, of 4 MB at most, within `timeoutMs` (default 10 s). Never throws. `target`: path and query. */
  read: (apiKey: string, target: string, timeoutMs?: number) => Promise<AttemptResult>;
  /** Rejects if no connection was made: then nothing was sent. */
  connect: (apiKey: string) => Promise<Connection>;
}

/** Points at which a crash test kills the process: the first and the last are inside a transaction, the others between two. */
export const CRASH_POINTS = [
  'recording',
  'recorded',
  'connected',
  'sending',
  'sent',
  'answered',
  'settled',
  'sweeping',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

export interface Ports {
  rows: Rows;
  service: ServicePort;
  /** 0 to 1, for jitter. */
  random: () => number;
  newAttemptId: () => string;
  /** Accounts are unrelated (ACCOUNTS=separate, and the sandbox). */
  separateAccounts: boolean;
  /** The journal and the service are one database, so one cannot be set back without the other. */
  neverSetBack: boolean;
  marks: MarkCodec;
  lastMark: MarkStore;
  /** Logs one line for the operator. */
  warn: (line: string) => void;
  /** Verifies a passkey signature over payments; a fault says why it is invalid. Absent in key mode, where nobody signs. */
  checkSignature?: (
    signer: { person: string; session: string },
    toSign: ToSign,
    proof: Proof,
  ) => Promise<Signature | { fault: string }>;
  /** Called at each step, for crash tests. */
  crashPoint?: (step: CrashPoint) => void;
}

export interface OperationActor extends Actor {
  /** Derived from the session's API key. */
  credential: string;
  /** Null if the service refuses it: then operations can only be seen and closed. */
  apiKey: string | null;
  clock: Clock;
}

export type Sender = OperationActor & { apiKey: string };

/** Narrows an actor who passed the permission check for sending. */
export function asSender(actor: OperationActor): Sender {
  const { apiKey } = actor;
  if (apiKey === null) throw new TypeError('A session without an API key was allowed to send.');
  return { ...actor, apiKey };
}

/** Now by the server's and the database's clocks for the actor's account, in ms. */
export function instantOf({ clock }: OperationActor, facts: { now: number }): Instant {
  return { server: clock.wall(), database: facts.now + clock.shift() };
}

export function momentOf({ wall, mono }: Clock) {
  return { wall: wall(), mono: mono() };
}

/** Elapsed ms by the larger of two clocks: the monotonic one may stop during sleep, the other may be set. */
export function passedSince({ wall, mono }: Clock, moment: ReturnType<typeof momentOf>): number {
  return Math.max(Math.abs(wall() - moment.wall), mono() - moment.mono);
}

// The journal's rules are written once on this port, which has two implementations: SQL, and a map in memory.

export type UnreadableRow = UnreadableOperation & AccountOwner;

/** A stored row: the record, or the parts of it that this version can read. */
export type OperationRow = {
  duplicateKey: string;
  /** The journal's position when the operation was recorded. */
  seq: bigint;
} & ({ record: OperationRecord; unreadable?: undefined } | { record?: undefined; unreadable: UnreadableRow });

/** Owner of operations and of the team's items: an account of a payments service. */
export interface AccountOwner {
  service: string;
  account: string;
}

export function keyOf(row: OperationRow): string {
  return (row.record ?? row.unreadable).key;
}

export function isOf(row: OperationRow, { service, account }: AccountOwner): boolean {
  const owner = row.record ?? row.unreadable;
  return owner.service === service && owner.account === account;
}

export function blocksDuplicateKey({ record, unreadable }: OperationRow): boolean {
  return record ? holdsDuplicateKey(record.state) : unreadable.closed === null;
}

/** Written for a key that must never send anything. */
export interface Tombstone extends AccountOwner {
  key: string;
  /** nobody-knows: written after a set-back, so an earlier copy of the request may have been sent. */
  why: NotSent['why'] | 'nobody-knows';
  /** The database's clock, milliseconds. */
  at: number;
}

/** The maximum of PostgreSQL's bigint, in which positions are stored. */
export const POSITION_MAX = 2n ** 63n - 1n;

/** Whether the text can be a journal position, as in cursors. */
export function isPosition(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= POSITION_MAX;
}

/** Where a page of operations ended. All lines of a batch share one position. */
interface ListedAt {
  seq: string;
  line: number | null;
}

const CURSOR = /^(\d{1,19})(?:\.(\d{1,6}))?$/;

/** Null if the text is no cursor of the list of operations. */
export function readCursor(text: string): ListedAt | null {
  const [, seq = '', line] = CURSOR.exec(text) ?? [];
  return isPosition(seq) ? { seq, line: line === undefined ? null : Number(line) } : null;
}

export function cursorAt({ seq, line }: ListedAt): string {
  return line === null ? seq : `${seq}.${line}`;
}

/** One write to one journal. */
export interface JournalMark {
  /** The journal's id; a new one each time a set-back is found. */
  id: string;
  /** Number of writes so far, including this one. */
  position: bigint;
  /** Random: tells apart two histories of one journal that reached the same position. */
  nonce: string;
}

/** Marks for headers and cookies, signed with the server's secret. */
export interface MarkCodec {
  write: (mark: JournalMark) => string;
  /** Null if it wasn't signed by this server for this service. */
  read: (text: string) => JournalMark | null;
}

/** Keeps this server's last mark, so that after a restart it notices a database that was set back. */
export interface MarkStore {
  /** The marks on disk when this server started, in no order; empty at a first start. */
  read: () => readonly string[];
  /** Resolves when the mark is safe from a power cut, or couldn't be written, which it logs. Never rejects. */
  keep: (mark: string) => Promise<void>;
}

export interface JournalFacts extends JournalMark {
  /** The database's clock, milliseconds. */
  now: number;
  /** When the set-back was noticed, by the database's clock; null if there was none. */
  setBackAt: number | null;
  /** The position of the write that recorded it. Rows of earlier positions may have changed in the lost part. */
  setBackPosition: bigint | null;
}

/** One server sends the lines of a batch. No other server takes the run over: a person continues the batch. */
export interface BatchRun {
  id: string;
  /** The database's clock, ms; after this the batch counts as paused. Renewed with each line, and every 20 s by a timer. */
  leaseUntil: number;
  /** Latest end of the run by the database's clock, ms. Never renewed. */
  until: number;
}

/** Payments that a person sends together. Its lines are operations with its id. */
export interface Batch extends AccountOwner {
  id: string;
  /** Derived from the API key that recorded it: nothing is sent under another one. */
  credential: string;
  person: string | null;
  who: string | null;
  /** The database's clock, milliseconds. */
  at: number;
  fileName: string | null;
  /** Equal for the same payments in any order. */
  fingerprint: string;
  lines: number;
  /** Why the same payments are made once more; null if they are new. */
  again: string | null;
  state: BatchState;
  why: BatchReason | null;
  /** The line that `why` is about. */
  whyLine: number | null;
  /** Null unless the batch is running. */
  run: BatchRun | null;
  revision: number;
}

export type BatchChanges = Pick<Batch, 'state' | 'why' | 'whyLine' | 'run'>;

/** How many lines of a batch are in a state. `isAbandoned`: being sent by a server whose lease has ended. */
export interface LineCount {
  batch: string;
  state: OperationState;
  isAbandoned: boolean;
  count: number;
  /** How long they wait for their approvals; null if they need none by anybody's policy. */
  hours: number | null;
}

export interface ListedBatches {
  batches: Batch[];
  /** Pass it back for the next page; null: this was the last one. */
  next: string | null;
}

/** A page of operations that has each batch as one entry in place of its lines. */
export interface ListedTogether {
  entries: (OperationRow | { batch: Batch })[];
  next: string | null;
}

/** `body`: null if the stored bytes don't match their checksum. */
export interface LineBody {
  batch: string;
  body: string | null;
}

export interface BatchReads {
  batch: (id: string) => Promise<Batch | null>;
  batchesOf: (ids: readonly string[]) => Promise<Batch[]>;
  /** The text of the uploaded file. */
  fileOf: (id: string) => Promise<string | null>;
  /** `now`: the database's clock, ms. */
  lineCounts: (ids: readonly string[], now: number) => Promise<LineCount[]>;
  /** The bodies of all lines of these batches. */
  bodiesOf: (ids: readonly string[]) => Promise<LineBody[]>;
  /** Newest first. */
  batches: (owner: AccountOwner, page: { cursor: string | null; limit: number }) => Promise<ListedBatches>;
  /** Running or paused, newest first. */
  unended: (owner: AccountOwner, limit: number) => Promise<Batch[]>;
  /** Batches with waiting lines that need approvals, whether they have them or not, newest first. */
  withApprovals: (owner: AccountOwner, limit: number) => Promise<Batch[]>;
  /** The account's operations and those shared with it, newest first; its batches in place of their lines. */
  listTogether: (owner: AccountOwner, page: { cursor: string | null; limit: number }) => Promise<ListedTogether>;
  /** The batch's operations, in line order. */
  linesOf: (id: string) => Promise<OperationRow[]>;
  /** The first line after this one that waits to be sent. */
  nextLine: (id: string, after: number) => Promise<OperationRow | null>;
  /** The newest batch with this fingerprint. */
  sameBatch: (owner: AccountOwner, fingerprint: string) => Promise<Batch | null>;
  /** Lines of earlier batches with one of these duplicate keys, recorded since (the database's clock, ms), that did not fail. */
  linesSince: (owner: AccountOwner, duplicateKeys: readonly string[], since: number) => Promise<OperationRow[]>;
  /** Which of these references are in use, and by which operation. */
  referencesUsed: (owner: AccountOwner, references: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** As JournalReads.byDuplicateKey, for several keys. */
  byDuplicateKeys: (duplicateKeys: readonly string[], since: EndedSince | null) => Promise<OperationRow[]>;
}

interface Ending {
  ended: Clocks;
  ending: NonNullable<OperationRecord['ending']>;
}

export interface BatchWrites extends BatchReads {
  awaitingCount: (owner: AccountOwner) => Promise<number>;
  insertBatch: (
    batch: Batch,
    file: string,
    lines: readonly { record: OperationRecord; duplicateKey: string }[],
  ) => Promise<void>;
  /** With the next revision. */
  replaceBatch: (batch: Batch, changes: BatchChanges) => Promise<Batch>;
  /** Returns false, and renews nothing, if the run has ended. */
  renewRun: (id: string, run: string, leaseUntil: number) => Promise<boolean>;
  /** Ends every line that waits to be sent, as not sent. */
  discardLines: (id: string, ending: Ending) => Promise<void>;
}

/** A payment, recorded or about to be. */
export type JudgedPayment = Pick<OperationRecord, 'service' | 'account' | 'kind' | 'path' | 'body' | 'key' | 'batch'>;

export interface CurrentNeed extends ApprovalNeed {
  /** The number of the policy in force; null if there is none. */
  policy: number | null;
  /** How long a payment recorded now waits for its approvals. */
  hours: number;
  /** Which of the judged payments, for a line those of its whole batch, can't be sent to their recipients, and why. */
  unsendable: { key: string; why: string }[];
  /** Keys of the judged payments whose recipients have changed, as PaymentToJudge.isChanged says. */
  keysWithChangedRecipient: readonly string[];
}

/** Rows that ended before `proven` are left out, and those that ended with an unknown outcome, before both. */
export interface EndedSince {
  proven: Clocks;
  unproven: Clocks;
}

export interface JournalReads {
  batches: BatchReads;
  facts: () => Promise<JournalFacts>;
  /** The mark's id must be the journal's current one. */
  hasMark: (mark: JournalMark) => Promise<boolean>;
  /** Whether the journal had this id before a set-back that was already noted. */
  isFormerId: (id: string) => Promise<boolean>;
  byKey: (key: string) => Promise<OperationRow | null>;
  /** In no order; keys without a row are left out. */
  byKeys: (keys: readonly string[]) => Promise<OperationRow[]>;
  tombstone: (key: string) => Promise<Tombstone | null>;
  /** Rows of every service and account: unresolved, or ended after `since` by any of its clocks (null: at any time). */
  byDuplicateKey: (duplicateKey: string, since: EndedSince | null) => Promise<OperationRow[]>;
  /** The key that has this withdrawal id, under any spelling of the service's address. */
  keyOfResult: (service: string, id: string) => Promise<string | null>;
  /**
   * How many people must approve a payment now, for a line with its whole batch; null in key mode, and for operations that
   * move no money.
   */
  needOf: (payment: JudgedPayment, now: Clocks) => Promise<CurrentNeed | null>;
  /** The same for the lines of a batch that isn't recorded yet. */
  needOfBatch: (lines: readonly JudgedPayment[], now: Clocks) => Promise<CurrentNeed | null>;
  /** The approvals of these operations, oldest first. For display. */
  approvalsOf: (keys: readonly string[]) => Promise<ApprovedBy[]>;
  /** The approvers who stopped resends of these operations, the oldest first. */
  stopsOf: (keys: readonly string[]) => Promise<StoppedBy[]>;
  /** Who can approve payments now. */
  approversOf: (account: string) => Promise<{ person: string; name: string }[]>;
  /**
   * Single payments: those that wait, oldest first, and those that needed approvals and no longer wait, newest first. `after`:
   * only those that wait and were recorded after this position. `more`: how many more wait after the returned ones.
   */
  approvalRows: (
    owner: AccountOwner,
    page: { after: bigint; waiting: number; decided: number },
  ) => Promise<{ waiting: OperationRow[]; more: number; decided: OperationRow[] }>;
  /**
   * Payments of every account that waited too long for approvals by the database's clock, oldest first; one line for each
   * batch.
   */
  overdue: (limit: number) => Promise<OperationRecord[]>;
  /** A person's name; null if there is no such person. */
  nameOf: (person: string) => Promise<string | null>;
}

/** A record before and after one event. */
export interface RecordChange {
  next: OperationRecord;
  /** As read in this transaction. */
  before: OperationRecord;
}

/** Serialised: no other writer's transaction overlaps it. */
export interface WriteTransaction extends JournalReads {
  batches: BatchWrites;
  unresolvedCount: (owner: AccountOwner) => Promise<number>;
  /** Ready or awaiting: of every account, or only those that this person prepared on one account. */
  unsent: (preparedBy?: AccountOwner & { maker: string }) => Promise<OperationRecord[]>;
  insert: (record: OperationRecord, duplicateKey: string) => Promise<void>;
  /** Stores a maker's or an approver's signature over these recorded payments. */
  insertSignature: (signature: Signature, records: readonly OperationRecord[]) => Promise<void>;
  /** Stores the decision that these payments are never sent, or never sent again. */
  insertRejection: (rejection: Rejection, records: readonly OperationRecord[]) => Promise<void>;
  /** Why the signatures that count now don't permit sending with `needs` approvals; null if they do, or if none is needed. */
  whyNotApproved: (record: OperationRecord, needs: number) => Promise<NotApproved | null>;
  /** The ids of the unusual facts that the newest approver saw. */
  findingsLastApproverSaw: (record: OperationRecord) => Promise<string[]>;
  /** `before`: as read in this transaction. */
  replace: (next: OperationRecord, before: OperationRecord) => Promise<void>;
  /** Replaces several records at once. Their attempts must not change. */
  replaceAll: (changes: readonly RecordChange[]) => Promise<void>;
  writeTombstone: (tombstone: Tombstone) => Promise<void>;
  /** Records that a person closed an unreadable row, without changing the row. */
  closeUnreadable: (key: string, closing: { words: string; who: string | null; at: number }) => Promise<void>;
  /** Shares an operation with another key, which could read its withdrawal and so belongs to the same account. */
  shareWith: (key: string, account: string) => Promise<void>;
  /** Read in this transaction: what the process knows may be seconds old. Null once the session has ended. */
  sessionRights: (id: string) => Promise<SessionRights | null>;
  /** Writes a line of the activity. */
  note: (by: ActBy, act: Act) => Promise<void>;
  /**
   * Adds an API key to the account, and ends the key's sessions on another account. Throws CredentialInUse, and so changes
   * nothing, if anything is recorded under the key already.
   */
  joinCredential: (joined: JoinedCredential) => Promise<void>;
  /**
   * Records a set-back, proved by a mark that isn't in the journal's history, and gives the journal a new id. Batches are
   * paused; two of their lines may have one duplicate key from then on.
   */
  setBack: (at: number, mark: JournalMark) => Promise<void>;
  endSetBack: (words: string) => Promise<void>;
}

/** A later API key of an account. */
export interface JoinedCredential extends AccountOwner {
  credential: string;
  /** The database's clock, ms. */
  since: number;
  seal: string;
}

/** Something is recorded under this API key, so it has an account of its own. */
export class CredentialInUse extends Error {
  override name = 'CredentialInUse';
}

export interface ListedRows {
  rows: OperationRow[];
  /** Pass it back for the next page; null: this was the last one. */
  next: string | null;
}

export interface OperationListQuery extends AccountOwner {
  states: readonly OperationState[] | null;
  kind: OperationKind | null;
  /** Only operations with this id as result, as confirmed earlier send, or as replayed delivery. */
  about: string | null;
  cursor: string | null;
  limit: number;
}

export interface Rows extends JournalReads {
  /** Runs the work in the next write transaction. Throws JournalAway if nothing was written, JournalUnsure if that is unknown. */
  write: <T>(work: (transaction: WriteTransaction) => Promise<T>) => Promise<T>;
  /** The account's operations and those shared with it, newest first. */
  list: (query: OperationListQuery) => Promise<ListedRows>;
  /**
   * Operations of other accounts with a withdrawal id, newest first. An API key that can read the withdrawal proves that it
   * belongs to the same account.
   */
  operationsOfOtherAccounts: (owner: AccountOwner, limit: number) => Promise<OperationRecord[]>;
  isSharedWith: (key: string, account: string) => Promise<boolean>;
  hasAccount: (owner: AccountOwner) => Promise<boolean>;
}

/** The database is unreachable or refused: nothing was written. */
export class JournalAway extends Error {
  override name = 'JournalAway';
}

/** Commit status unknown: read back before reporting. */
export class JournalUnsure extends Error {
  override name = 'JournalUnsure';
}
