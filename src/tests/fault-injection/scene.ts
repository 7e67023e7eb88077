import type { LookAlikes, NotSent, OperationView, StartRequest } from '#src/shared/contract/gatewayContract.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { ApiAnswer, ApiRequest } from '#src/server/operations/routes.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import type { JournalMark, MarkCodec, Actor, Ports } from '#src/server/operations/ports.ts';
import type { Unwritten } from '#src/server/operations/attempts.ts';
import type { Agenda, Machine } from './agenda.ts';
import type { Fault } from './counts.ts';
import type { Database } from './database.ts';
import type { ReadFate } from './fates.ts';
import type { Judge } from './judge.ts';
import type { Call, Heard } from './hop.ts';
import type { Random } from './random.ts';
import type { Served, Service, ServiceAccount } from './service.ts';
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
  handle: (request: ApiRequest, actor: Actor) => Promise<ApiAnswer>;
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
