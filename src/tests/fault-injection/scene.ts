import type { Attempt, ServiceAnswer } from '#src/shared/answers.ts';
import type { LookAlikes, NotSent, OperationView, StartRequest } from '#src/shared/contract/gatewayContract.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import type { Operation, OperationRecord } from '#src/shared/operations/record.ts';
import type { OperationsEnv } from '#src/server/operations/replies.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import type { JournalMark, MarkCodec, Ports, Rows } from '#src/server/operations/ports.ts';
import type { Unwritten } from '#src/server/operations/attempts.ts';
import type { Agenda, Machine } from './agenda.ts';
import type { Fault } from './counts.ts';
import type { ReadFate } from './fates.ts';
import type { Random } from './random.ts';
import type { Served, Service, ServiceAccount } from './service.ts';
import type { Store } from './store.ts';
import type { Worlds } from './worlds.ts';

/** An API key that people can sign in with, and the dashboard's account that it opens. */
export interface Account {
  name: string;
  at: ServiceAccount;
  revoked: boolean;
}

/** One thing that is to happen once, whoever does it. */
export interface Intent {
  name: string;
  kind: OperationKind;
  account: Account;
  /** Of every form that was ever opened for it. */
  keys: string[];
  /** People know from the service itself that it is done. */
  settled: boolean;
  /** Somebody saw its operation accepted. */
  seenDone: boolean;
  /** The key under which a colleague paid it without this product; null: nobody did. */
  paidElsewhere: string | null;
  request: () => Sendable;
  /** Asks for what the service can do, after a refusal. */
  amend: () => void;
}

export type Sendable = Pick<StartRequest, 'kind' | 'path' | 'body'>;

/** A form that stands on a page. */
export interface Form {
  intent: Intent;
  key: string;
  request: Sendable;
  secondSendOf: string[];
  /** By the database's clock and the page's monotonic one, when it was reviewed last. */
  reviewed: { now: number; mono: number } | null;
}

export type Conclusion =
  | { kind: 'recorded' }
  | { kind: 'not-sent'; notSent: NotSent | null; lookAlikes: LookAlikes | null }
  | { kind: 'other' };

/** A key whose request this page asks for until it is told what became of it. */
export interface Start {
  intent: Intent;
  key: string;
  request: StartRequest;
  conclusion: Conclusion | null;
}

/** A page of the dashboard, open in a browser. */
export interface Page {
  name: string;
  profile: Profile;
  machine: Machine;
  account: Account | null;
  forms: Form[];
  starts: Map<string, Start>;
  /** Operations as this page last heard of them, and when by its monotonic clock. */
  shown: Map<string, { view: OperationView; mono: number }>;
  /** It has asked for the list. */
  isLoaded: boolean;
  /** Rows that cannot be read, as this page last heard. */
  unreadable: Set<string>;
  /** As the server signed it. */
  mark: string | null;
}

/** One browser profile, of one person. */
export interface Profile {
  name: string;
  pages: Page[];
  /** What the sealed cookie holds. */
  cookie: { account: Account; journalOnly: boolean; mark: string | null } | null;
  offline: boolean;
}

/** A machine that servers run on, with its clocks. */
export interface Host {
  name: string;
  /** Its clock against the true one, milliseconds. */
  skew: number;
  /** How long its monotonic clock stood still. */
  stood: number;
  /** What a process that was stopped left on its disk. */
  left: Unwritten[];
  /** The journal's mark on its disk. */
  mark: string | null;
  /** The latest write that a process here was told of, whatever it kept of it. */
  wrote: JournalMark | null;
}

/** A process of the dashboard's server. */
export interface Server {
  name: string;
  host: Host;
  machine: Machine;
  version: number;
  readOnly: boolean;
  /** The service's address as its settings spell it. */
  spelling: string;
  stopping: boolean;
  /** It ended without being asked to. */
  killed: boolean;
  operations: Operations;
  handle: (request: Request, sender: OperationsEnv['Bindings']) => Promise<Response>;
  /** Keys whose bytes it may be about to write, or to hear an answer for. */
  busy: Map<string, number>;
  /** The database is away for it alone until then. */
  cutOffUntil: number;
  /** Stood still, for so long, while neither of its clocks went on. */
  blind: number;
}

/** What is wrong on purpose, to see whether the simulation finds it. */
export interface Mutation {
  world?: (world: Ports, scene: Scene, server: Server) => Ports;
  /** The database has no unique indexes. */
  unfenced?: boolean;
  /** What a page takes an answer to its PUT for. */
  concludes?: (heard: Heard, key: string) => Conclusion | null;
  /** A page posts to the service by itself, through the relay. */
  relaysPosts?: boolean;
  /** A server that starts sends again what it finds unconfirmed. */
  atStart?: (scene: Scene, server: Server) => void;
  /** What a server takes for a request's body. */
  arrives?: (scene: Scene, call: Call) => object | undefined;
  /** The gateway does not compare the account that a page means with the session's. */
  forgetsAccounts?: boolean;
  /** Each spelling of the service's address is a service of its own. */
  spellsApart?: boolean;
}

/** Everything of one run. */
export interface Scene {
  seed: number;
  random: Random;
  agenda: Agenda;
  service: Service;
  judge: Judge;
  database: Database;
  servers: Server[];
  hosts: Host[];
  profiles: Profile[];
  accounts: Account[];
  intents: Intent[];
  mutation: Mutation;
  /** How often things go wrong, 0 to 1; 0 once the faults have stopped. */
  heat: number;
  /** How often a process stands still right after a commit, 0 to 1. */
  stalls: number;
  worlds: Worlds;
  /** The one clock of the three that is right throughout. */
  rightClock: 'service' | 'server' | 'database';
  /** Requests to the service on their way, and requests ever sent, by key. */
  onTheWay: Map<string, number>;
  posts: Map<string, number>;
  /** This service does not list withdrawals (the contract does not state that it does). */
  listsUnknown: boolean;
  /** Its lists show a withdrawal so much later. */
  listsLagSeconds: number;
  /** Its created_at is so far behind its Date. */
  createdBehindSeconds: number;
  /** One of its nodes is so far off with its Date. */
  wrongDateSeconds: number;
  /** What many of its reads come to: refused by a part that has a time of its own, from a cache, without a time. */
  ailing: ReadFate;
  /** Failures that the service keeps under a key in place of its answer (contract 4.7), by account and key. */
  failures: Map<string, { at: number; served: Served }>;
  /** Ids of withdrawals that the service has answered for; true: it states another amount since. */
  altered: Map<string, boolean>;
  /** Withdrawals that somebody made elsewhere. */
  elsewhere: number;
  /** Signs and reads the journal's marks. */
  marks: MarkCodec;
  /** Marks of writes that are lost since the journal was set back. */
  lostMarks: Set<string>;
  /** The journal of this run is set back once. */
  setsBack: boolean;
  lostStorage: boolean;
  /** Asks a process to stop. */
  stops: (server: Server) => void;
  name: (prefix: string) => string;
  count: (fault: Fault) => void;
  /** Tells the story of the run; absent where nobody listens. */
  tell: ((line: string) => void) | undefined;
}

/** The service's clock, unix seconds. */
export function serviceSeconds(scene: Scene): number {
  return Math.floor(scene.agenda.now() / 1_000);
}

/** The monotonic clock of browsers. */
export function pageMono(scene: Scene): number {
  return scene.agenda.now();
}

export function alivePages(scene: Scene): Page[] {
  return scene.profiles.flatMap(({ pages }) => pages);
}

export function recordsOf(scene: Scene): OperationRecord[] {
  return [...scene.database.records.values()];
}

/** The intent that a key was made for; a key that a mutant made of another one is that one's. */
export function intentOf({ intents }: Scene, key: string): Intent | undefined {
  return intents.find((intent) => isKeyOf(intent, key));
}

export function isKeyOf({ keys }: Intent, key: string): boolean {
  return keys.includes(key.replace(/'+$/, ''));
}

/** Some copy of a request under the key may still reach the service without anybody's doing. */
export function isOnTheWay({ onTheWay, servers }: Scene, key: string): boolean {
  if ((onTheWay.get(key) ?? 0) > 0) return true;
  return servers.some(({ machine, busy }) => machine.alive && (busy.get(key) ?? 0) > 0);
}

export interface Heard {
  status: number;
  code: string | null;
  body: object;
}

export interface Call {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below /api/operations. */
  path: string;
  query?: Record<string, string>;
  body?: object;
}

/** The one database of all servers, as the simulation watches it. */
export interface Database {
  store: Store;
  rows: Rows;
  /** The spelling of the service's address at the first start; null before it. */
  service: string | null;
  /** Of the journal's form; servers of another one cannot write. */
  version: number;
  /** Its clock against the true one, milliseconds. */
  skew: number;
  /** Nobody reaches it until then. */
  awayUntil: number;
  /** What is committed, by key. */
  records: Map<string, OperationRecord>;
  /** The mark of the latest write; null: there was none yet. */
  latest: JournalMark | null;
  /** The copy that is kept; null: there is none, or it was used. */
  kept: { position: bigint; records: Map<string, OperationRecord>; setBacksFound: number } | null;
  /** Keys of rows that cannot be read; true: closed by a person. */
  unreadable: Map<string, boolean>;
  /** It takes real time. */
  isReal: boolean;
}

export interface Execution {
  path: string;
  key: string;
  /** The service's account. */
  account: string;
  body: string;
  /** The id in the answer; null where it names none. */
  id: string | null;
  served: Served;
}

export interface Verdicts {
  /** Executions beyond one of an intent. */
  doubles: number;
  /** "Accepted" shown of what was not executed, or as it was not answered. */
  falseSent: number;
  /** "Not sent", "refused" or "ready" shown of what was executed, or of what had been sent. */
  falseNotSent: number;
  /** Not ended by three actions after the faults. */
  unresolved: number;
  /** POSTs without an earlier durable record of equal key and bytes. */
  unrecorded: number;
  /** POSTs sent past 23 h, or that arrived 24 h after the first of their key. */
  late: number;
  /** POSTs long after the last press of Send, or without any. */
  unasked: number;
  /** POSTs while another attempt of the operation was running. */
  overlaps: number;
  /** Executions for another account than somebody meant. */
  astray: number;
  /** Set-backs noted of a journal that did not go back, or noted twice. */
  falseSetBacks: number;
  /** Set-backs of which a server was told, by a browser or its own disk, and that it did not note. */
  unnoticed: number;
  /** Answers read otherwise than the table of operations.md says. */
  misread: number;
  /** Errors that no rule of a server foresees. */
  crashes: number;
}

/** What an edge costs that refuses one copy and lets the other pass. */
export type SplitCopies = Pick<Verdicts, 'doubles' | 'falseNotSent'>;

interface Posted {
  path: string;
  key: string;
  body: string;
  attempt: string;
}

/** Knows the truth, and compares with it what is sent and what is shown. */
export interface Judge {
  executions: Execution[];
  verdicts: Verdicts;
  splitCopies: SplitCopies;
  blame: (what: keyof Verdicts, why: string) => void;
  /** Somebody presses Send, or Send again. */
  pressed: (key: string) => void;
  /** A record was committed. */
  committed: (next: OperationRecord, before: OperationRecord | null) => void;
  /** A server writes the bytes of a POST. */
  posted: (server: Server, apiKey: string, sent: Posted) => void;
  /** The server heard what came of it, or gave up. */
  over: (server: Server, sent: Pick<Posted, 'key' | 'attempt'>, attempt: Attempt) => void;
  /** The edge refused one copy of a request for good, and may let another one pass. */
  refusesOneCopy: (key: string) => void;
  /** It arrives at the service; whether it is the first under its key for 24 h. */
  arrived: (account: string, key: string) => boolean;
  executed: (execution: Execution) => void;
  wasExecuted: (key: string) => boolean;
  /** When it was first recorded, by the true clock. */
  recordedAt: (key: string) => number;
  /** The answer to an earlier withdrawal that looks the same and is in the journal; null: there is none. */
  answerOfAnother: (account: Account, key: string, body: string) => ServiceAnswer | null;
  /** A server answers a browser with this, or a page shows it. `at`: when the server was asked; now by default. */
  shows: (operation: Operation, where: string, at?: number) => void;
  /** A page or an answer says that nothing was sent under the key, and nothing ever is. */
  saysNotSent: (key: string, where: string, at?: number) => void;
  /**
   * The journal went back. What was ended in the part that is lost is open again, and until somebody who saw that part asks
   * a server, or one that wrote to it starts, nobody can know of it. `foundBefore`: set-backs that the copy knows of.
   */
  journalSetBack: (foundBefore: number) => void;
  /** A server was told, by a browser or by its own disk. */
  witnessed: (by: 'setBacksFoundByDisk' | 'setBacksToldByBrowsers') => void;
  /** A server notes that the journal was set back. */
  foundSetBack: () => void;
  setBacksFound: () => number;
  /** The end: everything shown as not sent, and the service's own books, against the truth. */
  close: () => Promise<void>;
}

/** Whether what this run is for goes wrong only where the first answers are lost, and nobody looks for a day. */
export function isUnheard({ worlds, ailing, rightClock }: Scene): boolean {
  return worlds.pagesLists || worlds.breaksLists || (ailing !== 'clean' && rightClock === 'service');
}

export function takesADay(scene: Scene): boolean {
  return isUnheard(scene) || scene.worlds.altersObjects || scene.worlds.deafColleagues;
}
