import type { AttemptResult, ServiceAnswer } from '#src/shared/answers.ts';
import type { BATCHES_PATH, BatchView } from '#src/shared/contract/batchContract.ts';
import type { EarlierSends, NotSent, OperationView, StartRequest } from '#src/shared/contract/gatewayContract.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import type { Operation, OperationRecord } from '#src/shared/operations/record.ts';
import type { OperationsEnv } from '#src/server/operations/replies.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import type { Batch, JournalMark, MarkCodec, Ports, Rows } from '#src/server/operations/ports.ts';
import type { Unwritten } from '#src/server/operations/attempts.ts';
import type { Agenda, Machine } from './agenda.ts';
import type { SimulatedFault } from './counts.ts';
import type { ReadFate } from './fates.ts';
import type { Random } from './random.ts';
import type { Served, SimulatedService, ServiceAccount } from './service.ts';
import type { JournalStore } from './store.ts';
import type { Worlds } from './worlds.ts';

/** An API key that people can sign in with, and the dashboard's account that it opens. */
export interface SimulatedAccount {
  name: string;
  at: ServiceAccount;
  revoked: boolean;
}

/** A request that people want to be executed exactly once, whoever sends it. */
export interface Intent {
  name: string;
  kind: OperationKind;
  account: SimulatedAccount;
  /** The keys of all forms ever opened for it. */
  keys: string[];
  /** People know from the service that it is done. */
  settled: boolean;
  /** Someone saw its operation as accepted. */
  seenDone: boolean;
  /** The key under which a colleague paid it without this product; null if nobody did. */
  paidElsewhere: string | null;
  request: () => Sendable;
  /** After a refusal, changes the request to one that the service accepts. */
  amend: () => void;
}

export type Sendable = Pick<StartRequest, 'kind' | 'path' | 'body'>;

/** An open form on a page. */
export interface Form {
  intent: Intent;
  key: string;
  request: Sendable;
  secondSendOf: string[];
  /** When it was last reviewed, by the database's clock and the page's monotonic one. */
  reviewed: { now: number; mono: number } | null;
}

/** An open form for a batch. */
export interface BatchForm {
  id: string;
  lines: BatchFormLine[];
  /** Why the same payments are made once more. */
  again: string | null;
  /** When it was last reviewed, by the database's clock and the page's monotonic one. */
  reviewed: { now: number; mono: number } | null;
  /** A request to record it was sent, so it may be recorded. */
  mayHaveArrived: boolean;
}

export interface BatchFormLine {
  intent: Intent;
  line: number;
  body: string;
  secondSendOf: string[];
}

export type SimulatedConclusion =
  | { kind: 'recorded' }
  | { kind: 'not-sent'; notSent: NotSent | null; lookAlikes: EarlierSends | null }
  | { kind: 'other' };

/** A request that the page repeats until it learns the outcome. */
export interface PageStart {
  intent: Intent;
  key: string;
  request: StartRequest;
  conclusion: SimulatedConclusion | null;
}

/** A page of the dashboard, open in a browser. */
export interface SimulatedPage {
  name: string;
  profile: Profile;
  machine: Machine;
  account: SimulatedAccount | null;
  forms: Form[];
  starts: Map<string, PageStart>;
  batchForms: BatchForm[];
  /** Batches as last received by this page, and when by its monotonic clock. */
  batches: Map<string, { view: BatchView; mono: number }>;
  /** Operations as last received by this page, and when by its monotonic clock. */
  shown: Map<string, { view: OperationView; mono: number }>;
  /** Whether it has loaded the list. */
  isLoaded: boolean;
  /** Unreadable rows, as last received by this page. */
  unreadable: Set<string>;
  /** The mark as signed by the server. */
  mark: string | null;
}

/** A browser's cookies: its session, and the journal's mark. */
export interface SessionCookie {
  session: string;
  account: SimulatedAccount;
  journalOnly: boolean;
  mark: string | null;
}

/** A browser profile of one person. */
export interface Profile {
  name: string;
  pages: SimulatedPage[];
  cookie: SessionCookie | null;
  offline: boolean;
}

/** A machine on which servers run, with its clocks. */
export interface Host {
  name: string;
  /** Offset of its clock from the true one, in ms. */
  skew: number;
  /** How long its monotonic clock was stopped. */
  stoppedFor: number;
  /** Responses that stopped processes could not write to the journal and left on the disk. */
  unwrittenAnswers: Unwritten[];
  /** The journal's mark on its disk. */
  mark: string | null;
  /** The latest write that a process here learned of, whether or not it stored the mark. */
  latestKnownWrite: JournalMark | null;
}

/** A process of the dashboard's server. */
export interface SimulatedServer {
  name: string;
  host: Host;
  machine: Machine;
  version: number;
  readOnly: boolean;
  /** The service's address as spelled in its settings. */
  spelling: string;
  stopping: boolean;
  /** It was killed. */
  killed: boolean;
  operations: Operations;
  handle: (request: Request, sender: OperationsEnv['Bindings']) => Promise<Response>;
  /** Keys for which it may be about to send, or waits for a response. */
  busy: Map<string, number>;
  /** Until then this server alone can't reach the database. */
  cutOffUntil: number;
  /** How long it was frozen with both of its clocks stopped. */
  frozenFor: number;
}

/** A deliberate mistake, to test that the simulation finds it. */
export interface Mutation {
  world?: (world: Ports, scene: Scene, server: SimulatedServer) => Ports;
  /** The database has no unique indexes. */
  noUniqueIndexes?: boolean;
  /** How a page interprets a response to its PUT. */
  concludePage?: (reply: PageReply, key: string) => SimulatedConclusion | null;
  /** Pages send POSTs to the service themselves, through the relay. */
  relaysPosts?: boolean;
  /** Called when a server starts. */
  atStart?: (scene: Scene, server: SimulatedServer) => void;
  /** The body that a server reads from a request. */
  readBody?: (scene: Scene, call: OperationsCall) => object | undefined;
  /** The gateway doesn't compare the page's account with the session's. */
  skipsAccountCheck?: boolean;
  /** Each spelling of the service's address counts as a different service. */
  spellingsAreServices?: boolean;
}

/** The whole state of a run. */
export interface Scene {
  seed: number;
  random: Random;
  /** A random stream of its own, so that the other draws of a seed stay the same. */
  demotionRandom: Random;
  /** Whether an admin takes rights away in this run. */
  demotes: boolean;
  /** Also a stream of its own; null if people make no batches in this run. */
  batchRandom: Random | null;
  /** Number of batch forms opened so far. */
  batchesBegun: number;
  agenda: Agenda;
  service: SimulatedService;
  judge: Judge;
  database: SimulatedDatabase;
  servers: SimulatedServer[];
  hosts: Host[];
  profiles: Profile[];
  accounts: SimulatedAccount[];
  intents: Intent[];
  mutation: Mutation;
  /** Frequency of faults, 0 to 1; 0 once the faults have stopped. */
  faultRate: number;
  /** Probability that a process freezes right after a commit. */
  freezeRate: number;
  worlds: Worlds;
  /** The one of the three clocks that is always right. */
  rightClock: 'service' | 'server' | 'database';
  /** Number of requests in transit to the service, by key. */
  inTransit: Map<string, number>;
  posts: Map<string, number>;
  /** This service doesn't list withdrawals, which the contract doesn't require. */
  listsUnknown: boolean;
  /** Delay until its lists show a withdrawal. */
  listsLagSeconds: number;
  /** How far its created_at is behind its Date. */
  createdBehindSeconds: number;
  /** How far the Date of one of its nodes is off. */
  wrongDateSeconds: number;
  /** The fate of many of its reads: refused by a part with another clock, from a cache, or without a Date. */
  badReadFate: ReadFate;
  /** Failures that the service stored under a key instead of its response (contract 4.7), by account and key. */
  failures: Map<string, { at: number; served: Served }>;
  /** Ids of withdrawals in delivered responses; true if the service now states another amount. */
  altered: Map<string, boolean>;
  /** Number of withdrawals made elsewhere. */
  withdrawalsElsewhere: number;
  /** Signs and reads the journal's marks. */
  marks: MarkCodec;
  /** Marks of writes that were lost when the journal was set back. */
  lostMarks: Set<string>;
  /** When each session ended; the others are open. */
  endedSessions: Map<string, number>;
  /** When an admin took away the session's right to send; the others keep it. */
  demotedSessions: Map<string, number>;
  /** A stolen copy of a session's cookie. */
  stolenCookie: SessionCookie | null;
  /** Whether the journal is set back once in this run. */
  setsBack: boolean;
  lostStorage: boolean;
  /** Stops a process in an orderly way. */
  stopServer: (server: SimulatedServer) => void;
  name: (prefix: string) => string;
  count: (fault: SimulatedFault) => void;
  /** Prints the steps of the run, if requested. */
  tell: ((line: string) => void) | undefined;
}

/** The service's clock, Unix seconds. */
export function serviceSeconds(scene: Scene): number {
  return Math.floor(scene.agenda.now() / 1_000);
}

/** The browsers' monotonic clock. */
export function pageMono(scene: Scene): number {
  return scene.agenda.now();
}

export function alivePages(scene: Scene): SimulatedPage[] {
  return scene.profiles.flatMap(({ pages }) => pages);
}

export function recordsOf(scene: Scene): OperationRecord[] {
  return [...scene.database.records.values()];
}

/** The intent of a key; also for a key that a mutant derived from another. */
export function intentOf({ intents }: Scene, key: string): Intent | undefined {
  return intents.find((intent) => isKeyOf(intent, key));
}

export function isKeyOf({ keys }: Intent, key: string): boolean {
  return keys.includes(key.replace(/'+$/, ''));
}

/** Whether a copy of a request under the key may still reach the service by itself. */
export function mayStillArrive({ inTransit, servers }: Scene, key: string): boolean {
  if ((inTransit.get(key) ?? 0) > 0) return true;
  return servers.some(({ machine, busy }) => machine.alive && (busy.get(key) ?? 0) > 0);
}

export interface PageReply {
  status: number;
  code: string | null;
  body: object;
}

export interface OperationsCall {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below /api/operations, or below `under`. */
  path: string;
  under?: typeof BATCHES_PATH;
  query?: Record<string, string>;
  body?: object;
}

/** The database of all servers, as observed by the simulation. */
export interface SimulatedDatabase {
  store: JournalStore;
  rows: Rows;
  /** The service's address as spelled at the first start; null before. */
  service: string | null;
  /** The journal's schema version; servers of another version can't write. */
  version: number;
  /** Offset of its clock from the true one, in ms. */
  skew: number;
  /** Until then it is unreachable. */
  awayUntil: number;
  /** Committed records, by key. */
  records: Map<string, OperationRecord>;
  /** Committed batches, by id. */
  batches: Map<string, Batch>;
  /** The mark of the latest write; null if there was none yet. */
  latest: JournalMark | null;
  /** The backup; null if there is none or it was restored. */
  backup: {
    position: bigint;
    records: Map<string, OperationRecord>;
    batches: Map<string, Batch>;
    setBacksFound: number;
  } | null;
  /** Keys of unreadable rows; true if closed by a person. */
  unreadable: Map<string, boolean>;
  /** Whether it is a real database, whose work takes real time. */
  isReal: boolean;
}

export interface Execution {
  path: string;
  key: string;
  /** The service's account. */
  account: string;
  body: string;
  /** The id in the response; null if there is none. */
  id: string | null;
  served: Served;
}

export interface Verdicts {
  /** Executions beyond one of an intent. */
  doubles: number;
  /** "Accepted" shown for something not executed, or with other details than in the response. */
  falseSent: number;
  /** "Not sent", "refused" or "ready" shown for something executed or sent. */
  falseNotSent: number;
  /** Operations not ended by three actions after the faults. */
  unresolved: number;
  /** POSTs without an earlier durable record of the same key and bytes. */
  unrecorded: number;
  /** POSTs sent after 23 h, or that arrived 24 h after the first with their key. */
  late: number;
  /** POSTs long after the last press of Send, or without any. */
  unasked: number;
  /** POSTs while another attempt of the operation was running. */
  overlaps: number;
  /** Executions for another account than intended. */
  astray: number;
  /** Set-backs noted although the journal was not set back, or noted twice. */
  falseSetBacks: number;
  withoutSession: number;
  withoutRight: number;
  /** Payments sent with fewer counting signatures over their bytes than they needed. */
  unsigned: number;
  /** Payments sent because the approval of their maker counted, or one person's twice. */
  selfApproved: number;
  /** Payments sent after they were rejected, withdrawn or not approved in time. */
  afterNo: number;
  /** Payments over a limit of the policy, sent with fewer approvals than the policy asks for there. */
  overLimit: number;
  /** Payments sent to a recipient that was blocked, or that the policy in force refused. */
  barredRecipient: number;
  /** Payments sent with fewer approvals than their recipient's state asks for, or confirmations by a person who added or named it. */
  recipientTooEarly: number;
  /** Acts of people without a line of the activity in the same transaction, or lines without an act. */
  withoutLine: number;
  /** Permissions or passkeys that count before anybody who may has given or confirmed them. */
  tooEarly: number;
  /** Refused blocks, payments prevented by refused sign-ins, or people who can't be brought back by the console. */
  lockedOut: number;
  /** An API key, the server's secret, or the token of a session or an invite, where it doesn't belong. */
  leaks: number;
  /** Set-backs that a server could notice by the mark of a browser or its disk, but did not. */
  unnoticed: number;
  /** Responses interpreted otherwise than by the table in table.ts. */
  misread: number;
  /** Unexpected errors in a server. */
  crashes: number;
}

/** Results of an edge that refuses one copy and passes the other. */
export type SplitCopies = Pick<Verdicts, 'doubles' | 'falseNotSent'>;

interface Posted {
  path: string;
  key: string;
  body: string;
  attempt: string;
}

/** An ended batch sends nothing more. */
export function isBatchOver(state: string | undefined): boolean {
  return state === 'done' || state === 'stopped';
}

/** A press of Send or Start is valid for two minutes, automatic retries start for two more, and the bytes take time to leave. */
export const PRESS_MS = 5 * 60 * 1_000;

/** Knows who asked which server to start a batch, and which run of it lasts. */
export interface BatchJudge {
  /** A request arrives at a server. */
  requestArrived: (server: SimulatedServer, path: string, session: string) => void;
  /** A server has committed a batch. */
  changed: (next: Batch, before: Batch | null, server: SimulatedServer) => void;
  /** The lease of the batch's run was renewed. */
  renewed: (id: string) => void;
  /** True if the send is by a run of its batch, which takes no press of Resend. */
  judgeLineSend: (next: OperationRecord, before: OperationRecord, server: SimulatedServer) => boolean;
  /** A server answers that it did what a person asked. `at`: when the request arrived. */
  commandAccepted: (command: AcceptedCommand, where: string, at: number) => void;
  /** The journal was set back: its servers are gone, and their runs with them. */
  journalSetBack: () => void;
  /** True if a run of a batch lasts on this server. */
  isRunningOn: (server: SimulatedServer) => boolean;
  /** The server that is running the batch; null if none is. */
  serverOf: (id: string) => SimulatedServer | null;
  /** At the end every batch has an end, and none of its lines waits. */
  close: () => void;
}

interface AcceptedCommand {
  /** The batch's. */
  id: string;
  command: string | undefined;
  body: object | undefined;
}

/** Knows the truth, and compares everything sent and shown with it. */
export interface Judge {
  executions: Execution[];
  verdicts: Verdicts;
  splitCopies: SplitCopies;
  blame: (what: keyof Verdicts, why: string) => void;
  /** Someone presses Send, Resend or Start. `limitAheadMs`: how much longer than a page would the request says that it is valid. */
  pressed: (key: string, limitAheadMs?: number) => void;
  /** Judges the runs of batches. */
  batches: BatchJudge;
  /** When Send was last pressed for an operation, or Start for a batch, by the true clock. */
  pressedAt: (key: string) => number;
  /** A server has committed a record. */
  committed: (next: OperationRecord, before: OperationRecord | null, server: SimulatedServer) => void;
  /** A server sends the bytes of a POST. */
  posted: (server: SimulatedServer, apiKey: string, sent: Posted) => void;
  /** The server received the response or gave up. */
  ended: (server: SimulatedServer, sent: Pick<Posted, 'key' | 'attempt'>, attempt: AttemptResult) => void;
  /** The edge refused one copy of a request finally and may pass another. */
  refusesOneCopy: (key: string) => void;
  /** A request arrives at the service; returns whether it is the first with its key in 24 h. */
  arrived: (account: string, key: string) => boolean;
  executed: (execution: Execution) => void;
  wasExecuted: (key: string) => boolean;
  /** True once a server has POSTed this key. */
  wasSent: (key: string) => boolean;
  /** When it was first recorded, by the true clock. */
  recordedAt: (key: string) => number;
  /** The response to an earlier withdrawal in the journal that looks the same; null if there is none. */
  answerOfAnother: (account: SimulatedAccount, key: string, body: string) => ServiceAnswer | null;
  /** A server returns this operation to a browser, or a page shows it. `at`: the time of the request; now by default. */
  shows: (operation: Operation, where: string, at?: number) => void;
  /** A server returns this state of an operation, abridged. */
  showsState: (key: string, state: string, where: string, at?: number) => void;
  /** A page or a response says that nothing was and nothing will be sent under the key. */
  saysNotSent: (key: string, where: string, at?: number) => void;
  /**
   * The journal was set back. Operations ended in the lost part are open again. Nobody can know until a browser that saw the
   * lost part makes a request, or a server that wrote to it starts. `foundBefore`: set-backs already noted in the copy.
   */
  journalSetBack: (foundBefore: number) => void;
  /** A server could see a set-back from a browser's or its disk's mark. */
  witnessed: (by: 'setBacksFoundByDisk' | 'setBacksToldByBrowsers') => void;
  /** A server notes that the journal was set back. */
  foundSetBack: () => void;
  setBacksFound: () => number;
  /** At the end: compares everything shown as not sent, and the service's own books, with the truth. */
  close: () => Promise<void>;
}

/** Whether this run's faults have an effect only if the first responses are lost and nobody looks for a day. */
export function needsADayOfSilence({ worlds, badReadFate, rightClock }: Scene): boolean {
  return worlds.pagesLists || worlds.breaksLists || (badReadFate !== 'clean' && rightClock === 'service');
}

export function takesADay(scene: Scene): boolean {
  return needsADayOfSilence(scene) || scene.worlds.altersObjects || scene.worlds.deafColleagues;
}
