import type { Session } from '#src/api/session.ts';
import type { Operations } from '#src/operations/operations.ts';
import type { StartRequest } from '#src/operations/outcomes.ts';
import type { DamagedRecord, OperationKind, OperationRecord } from '#src/operations/record.ts';
import type { World } from '#src/operations/world.ts';
import type { Agenda } from './agenda.ts';
import type { Fault } from './counts.ts';
import type { Judge } from './judge.ts';
import type { Random } from './random.ts';
import type { Served, Service, ServiceAccount } from './service.ts';

/** An API key that a person can sign in with. */
export interface Account {
  session: Session;
  at: ServiceAccount;
  revoked: boolean;
}

/** One thing that the person wants to happen once. */
export interface Intent {
  name: string;
  kind: OperationKind;
  account: Account;
  /** Of every form that was ever opened for it. */
  keys: string[];
  /** The person knows from elsewhere that it is done. */
  settled: boolean;
  /** The person saw its operation accepted: a week later the app no longer keeps that. */
  seenDone: boolean;
  request: (key: string, secondSendOf: string[]) => StartRequest;
  /** Asks for what the service can do, after a refusal. */
  amend: () => void;
}

/** A reviewed form that stands on a page. */
export interface Form {
  intent: Intent;
  key: string;
  secondSendOf: string[];
}

export interface Tab {
  name: string;
  alive: boolean;
  session: Session | null;
  operations: Operations;
  forms: Form[];
  /** What hears that another tab changed the journal. */
  listeners: (() => void)[];
}

/** A record that was damaged: its row as it is stored now, and what the app makes of it. */
export interface Broken {
  key: string;
  row: object;
  damaged: DamagedRecord;
}

/** One browser profile on one device. */
export interface Browser {
  disk: Map<string, OperationRecord>;
  /** What the disk gives back damaged, by id. */
  broken: Map<string, Broken>;
  tabs: Tab[];
  /** Whose session the gateway's cookie holds. */
  cookie: Account | null;
  offline: boolean;
  /** The device's clock against the service's, milliseconds. */
  skew: number;
  /** How long the device's monotonic clock stood still. */
  stood: number;
  /** Attempt by attempt, the tab that holds its lock; null: a lock that is never freed. */
  locks: Map<string, Tab | null>;
}

/** What is wrong on purpose, to see whether the simulation finds it. */
export interface Mutation {
  world?: (world: World, scene: Scene, tab: Tab) => World;
  /** The gateway forwards whatever account the page names. */
  gatewayForwardsAll?: boolean;
}

/** Everything of one run. */
export interface Scene {
  random: Random;
  agenda: Agenda;
  service: Service;
  judge: Judge;
  browser: Browser;
  accounts: Account[];
  intents: Intent[];
  mutation: Mutation;
  /** How often things go wrong, 0 to 1; 0 once the faults have stopped. */
  heat: number;
  /** Requests that are still on their way, and requests ever sent, by key. */
  onTheWay: Map<string, number>;
  posts: Map<string, number>;
  /** This service does not list withdrawals (the contract does not state that it does). */
  listsUnknown: boolean;
  /** Its lists show a withdrawal so much later. */
  listsLagSeconds: number;
  /** Failures that the service keeps under a key in place of its answer (contract 4.7), by account and key. */
  failures: Map<string, { at: number; served: Served }>;
  /** Withdrawals that somebody else made. */
  colleagues: number;
  lostStorage: boolean;
  name: (prefix: string) => string;
  count: (fault: Fault) => void;
  /** Tells the story of the run; absent where nobody listens. */
  tell: ((line: string) => void) | undefined;
}

export function wall(scene: Scene): number {
  return scene.agenda.now() + scene.browser.skew;
}

/** The service's clock, unix seconds. */
export function serviceSeconds(scene: Scene): number {
  return Math.floor(scene.agenda.now() / 1_000);
}

export function aliveTabs(scene: Scene): Tab[] {
  return scene.browser.tabs.filter(({ alive }) => alive);
}

/** The intent that a key was made for; a key that a mutant made of another one is that one's. */
export function intentOf({ intents }: Scene, key: string): Intent | undefined {
  return intents.find((intent) => isKeyOf(intent, key));
}

export function isKeyOf({ keys }: Intent, key: string): boolean {
  return keys.includes(key.replace(/'+$/, ''));
}

/** The page is gone: whatever it waited for never comes, its timers never fire, its locks are free. */
export function kill(scene: Scene, tab: Tab): void {
  tab.alive = false;
  const { browser } = scene;
  browser.tabs = browser.tabs.filter((other) => other !== tab);
  for (const [attempt, holder] of browser.locks) if (holder === tab) browser.locks.delete(attempt);
}
