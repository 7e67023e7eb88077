import type { SimulatedFault } from '#src/tests/fault-injection/counts.ts';
import type { Random } from '#src/tests/fault-injection/random.ts';
import type { Verdicts } from '#src/tests/fault-injection/scene.ts';
import type { SimulatedService } from '#src/tests/fault-injection/service.ts';
import type { ServerAccount } from '#src/server/people/serverAccounts.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import type { People } from '#src/server/people/people.ts';
import type { Permission } from '#src/shared/permissions.ts';
import type { PeopleTables } from './tables.ts';
import type { PeopleWorlds } from './peopleWorlds.ts';

export const SECRET = 'the secret of the simulated servers';
export const COMPANY_ACCOUNT = 'account 1';
/** Long enough that no text contains it by chance. */
export const API_KEY = 'sk_live_of_the_simulated_company';

/** A machine with a process of the server, which has its own clock and its own mark of the journal. */
export interface PeopleHost {
  name: string;
  skew: number;
  mark: string | null;
}

/** Where a server freezes: before it reads from the provider, before it connects, or around a transaction. */
export type StandStill = 'read' | 'connect' | 'begin' | 'commit';

/** The rights of all people at a moment. */
export interface RightsThen {
  permissions: ReadonlyMap<string, ReadonlySet<Permission>>;
  endedKeys: ReadonlySet<string>;
}

/** A server's process, which may freeze or be killed. */
export interface PeopleProcess {
  /** Where it freezes, until when; null: nowhere. */
  standStill: { at: StandStill; reached: () => void; until: Promise<void> } | null;
  /** The rights of people at its last commit; null if the current request has committed nothing. */
  rightsAtCommit: RightsThen | null;
  /** It is killed after this many more steps (statements, commits and requests to the provider). */
  stepsLeft: number;
  isKilled: boolean;
  /** Called with each step. */
  onStep: () => void;
  /** Called when it is killed. */
  onKill: () => void;
}

export interface PeopleServer {
  host: PeopleHost;
  process: PeopleProcess;
  people: People;
  operations: Operations;
  fetch: (request: Request, body: string) => Promise<Response>;
  /** Compares the journal with its mark. Also ends when the process is killed. */
  compare: () => Promise<void>;
}

/** Whether the clocks of the database and of all servers agree. A session's age is judged by the stricter of them. */
export function clocksAgree({ databaseSkew, servers }: Pick<PeopleScene, 'databaseSkew' | 'servers'>): boolean {
  return databaseSkew === 0 && servers.every(({ host }) => host.skew === 0);
}

/** The whole state of a run of people. */
export interface PeopleScene {
  random: Random;
  worlds: PeopleWorlds;
  /** True time, ms. */
  now: number;
  /** Offset of the database's clock from the true one, in ms. */
  databaseSkew: number;
  /** Frequency of faults, 0 to 1. */
  faultRate: number;
  /** The provider's answers to payments are lost. */
  areAnswersLost: boolean;
  /** Seconds that the provider asks to wait in its answer to the next payment; null if it doesn't. */
  asksToWait: number | null;
  /** The provider refuses connections. */
  areConnectionsRefused: boolean;
  tables: PeopleTables;
  servers: PeopleServer[];
  timers: Set<{ at: number; act: () => void }>;
  accounts: readonly ServerAccount[];
  provider: SimulatedService;
  /** The provider model's own name for API_KEY. */
  providerKey: string;
  /** Log lines of the servers. */
  log: string[];
  name: (prefix: string) => string;
  count: (fault: SimulatedFault) => void;
  blame: (what: keyof Verdicts, why: string) => void;
  tell: (line: string) => void;
  /** A server does something. */
  onStep: () => void;
  /** A server has committed that it sends this payment. */
  begins: (key: string, process: PeopleProcess) => void;
  /** A server has committed that the payment waits. */
  waits: (key: string) => void;
  /** The rights of all people now. */
  rightsNow: () => RightsThen;
  /** The bytes of a POST left. */
  posted: (key: string, body: string) => void;
  /** The provider has executed it. */
  executed: (key: string) => void;
  /** Somebody makes a request in the session of this token. */
  active: (token: string) => void;
  /** A server's answer. */
  heard: (text: string, where: string) => void;
}

export function databaseNow({ now, databaseSkew }: PeopleScene): number {
  return now + databaseSkew;
}
