import type { OperationRecord } from '#src/shared/operations/record.ts';
import { isUnresolved } from '#src/shared/operations/states.ts';
import { createMarks } from '#src/server/operations/marks.ts';
import { takeStep } from './person.ts';
import { type Agenda, createAgenda } from './agenda.ts';
import type { Counts } from './counts.ts';
import { end } from './ending.ts';
import { addBatchIntents, addIntents } from './intents.ts';
import { createJudge } from './judge.ts';
import { createModel } from './model.ts';
import { openPage } from './pages.ts';
import { simulatePeople } from './people/peopleRun.ts';
import { type PeopleWorlds, peopleWorldsOf } from './people/peopleWorlds.ts';
import { type Random, randomOf } from './random.ts';
import type { RealService } from './realService.ts';
import { watched } from './progress.ts';
import { type Host, type Mutation, type Scene, isKeyOf, type SplitCopies, type Verdicts, takesADay } from './scene.ts';
import { startServer, stopServer } from './servers.ts';
import { newCookie } from './session.ts';
import { setClocksBack } from './serverWeather.ts';
import { type JournalStore, memoryStore } from './store.ts';
import { isUnderWay } from './weather.ts';
import { type Worlds, worldsOf } from './worlds.ts';

const MARKS_KEY = new Uint8Array(32);

/** The true time at the start of every run, milliseconds. */
const START_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
/** The probability that a run of people follows a run. */
const PEOPLE_CHANCE = 0.015;
/** The probability that people make batches in a run. */
const BATCH_CHANCE = 0.15;
/** PEOPLE_CHANCE on the real handler, where a long run has fewer seeds and each takes as long as a run of people. */
const PEOPLE_CHANCE_REAL = 0.1;

export interface RunOutcome {
  intents: number;
  verdicts: Verdicts;
  counts: Partial<Counts>;
  lostStorage: boolean;
  splitCopies: SplitCopies;
  /** The end of every operation, and what the service executed. */
  ends: string[];
}

/** The sandbox's own handler, and journals in a real database. */
export interface Real {
  service: RealService;
  open: (id: string, now: () => number) => Promise<JournalStore>;
}

export interface Options {
  /** If absent, the model and rows in memory are used. */
  real?: Real | undefined;
  mutation?: Mutation;
  tell?: (line: string) => void;
  /** Called for whatever happens in the run. */
  onStep?: () => void;
}

/** Drawn separately, so that the other draws of a seed stay the same. */
export function hasRunOfPeople(seed: number, isReal = false): boolean {
  return randomOf(seed ^ 0x1b873593).chance(isReal ? PEOPLE_CHANCE_REAL : PEOPLE_CHANCE);
}

/** True for seeds whose run with API keys has batches. */
export function makesBatches(seed: number): boolean {
  return batchRandomOf(seed) !== null;
}

/** Separate from the run's other draws. Null: a run without batches. */
function batchRandomOf(seed: number): Random | null {
  const random = randomOf(seed ^ 0xc42a5088);
  return random.chance(BATCH_CHANCE) ? random : null;
}

/** The optional features of the run of people that follows a seed. */
export function worldsOfPeople(seed: number): PeopleWorlds {
  return peopleWorldsOf(peopleSeed(seed));
}

function peopleSeed(seed: number): number {
  return seed ^ 0x27d4eb2f;
}

/** One run, fully determined by its seed. Fails if it stands still or never ends. */
export function simulate(seed: number, options: Options = {}): Promise<RunOutcome> {
  return watched(`Seed ${seed}`, (onStep) => runSeed(seed, { ...options, onStep }));
}

async function runSeed(seed: number, options: Options & { onStep: () => void }): Promise<RunOutcome> {
  const counts: Partial<Counts> = {};
  const scene = await sceneOf(seed, options, counts);
  const { random, agenda } = scene;
  const steps = random.whole(8, 20);
  for (let count = 0; count < steps; count += 1) {
    if (isIdle(scene) && random.chance(0.35)) break;
    agenda.stir();
    await takeStep(scene);
    await agenda.run(thinkTimeMs(scene));
    if (scene.worlds.setsClocksBack && isUnderWay(scene) && random.chance(0.4)) {
      setClocksBack(scene);
      break;
    }
  }
  await end(scene);
  await scene.judge.close();
  const { count, tell, intents, judge, lostStorage } = scene;
  const { onStep } = options;
  if (hasRunOfPeople(seed, options.real !== undefined))
    await simulatePeople(peopleSeed(seed), { count, tell, onStep, blame: judge.blame });
  const { verdicts, splitCopies } = judge;
  return { intents: intents.length, verdicts, splitCopies, counts, lostStorage, ends: endsOf(scene) };
}

/** The initial scene of a run. */
export async function sceneOf(seed: number, options: Options, counts: Partial<Counts>): Promise<Scene> {
  const { real, mutation = {}, tell, onStep = () => undefined } = options;
  const random = randomOf(seed);
  const demotionRandom = randomOf(seed ^ 0x3c6ef372);
  const agenda = createAgenda(START_MS, onStep);
  real?.service.live(agenda.now);
  const service = real?.service ?? createModel(agenda.now);
  let names = 0;
  const rightClock = random.pick(['service', 'server', 'database'] as const);
  const off = (chance: number): number => (random.chance(chance) ? random.whole(-30 * HOUR_MS, 30 * HOUR_MS) : 0);
  const databaseSkew = rightClock === 'database' ? 0 : off(0.15);
  const hosts = ['A', 'B'].map((name): Host => ({
    name,
    skew: rightClock === 'server' ? 0 : off(0.15),
    stoppedFor: 0,
    unwrittenAnswers: [],
    mark: null,
    latestKnownWrite: null,
  }));
  const now = (): number => agenda.now() + scene.database.skew;
  const store = await (real?.open(`jnl_${seed}`, now) ??
    memoryStore(`jnl_${seed}`, now, mutation.noUniqueIndexes !== true));
  const worlds = worldsOf(random);
  const batchRandom = batchRandomOf(seed);
  // Payments made elsewhere then often meet lines that wait.
  if (batchRandom?.chance(0.25)) worlds.paysElsewhere = true;
  const scene: Scene = {
    seed,
    random,
    demotionRandom,
    demotes: demotionRandom.chance(0.25),
    batchRandom,
    batchesBegun: 0,
    agenda,
    service,
    judge: createJudge(() => scene),
    database: {
      store,
      rows: store.rows,
      version: 1,
      skew: databaseSkew,
      awayUntil: 0,
      records: new Map(),
      batches: new Map(),
      service: null,
      latest: null,
      backup: null,
      unreadable: new Map(),
      isReal: real !== undefined,
    },
    servers: [],
    hosts,
    profiles: [],
    accounts: [],
    intents: [],
    mutation,
    faultRate: random.pick([0.4, 0.8, 1]),
    freezeRate: worlds.stalling || worlds.secondIds ? 0.1 : 0.03,
    worlds,
    rightClock,
    failures: new Map(),
    inTransit: new Map(),
    posts: new Map(),
    listsUnknown: random.chance(0.15),
    listsLagSeconds: random.chance(0.15) ? random.pick([20, 600, 3_600]) : 0,
    createdBehindSeconds: createdBehind(random, worlds),
    wrongDateSeconds: rightClock === 'service' ? 0 : Math.round(off(0.25) / 1_000),
    badReadFate: random.chance(rightClock === 'service' ? 0.35 : 0.15)
      ? random.pick(['unavailable', 'aged', 'undated'] as const)
      : 'clean',
    altered: new Map(),
    withdrawalsElsewhere: 0,
    marks: createMarks(MARKS_KEY, 'https://service'),
    lostMarks: new Set(),
    endedSessions: new Map(),
    demotedSessions: new Map(),
    stolenCookie: null,
    setsBack: random.chance(0.08) || batchRandom?.chance(0.15) === true,
    lostStorage: random.chance(0.08),
    stopServer: (server) => stopServer(scene, server),
    name: (prefix) => `${prefix}${(names += 1)}`,
    count: (fault) => void (counts[fault] = (counts[fault] ?? 0) + 1),
    tell: tell && ((line) => tell(`${elapsed(agenda)}  ${line}`)),
  };
  if (worlds.paysElsewhere) listsAll(scene);
  await setUpAccountsAndPages(scene);
  return scene;
}

function createdBehind(random: Random, { pagesLists }: Worlds): number {
  if (pagesLists) return random.pick([0, 86_400]);
  return random.chance(0.3) ? random.pick([90, 3_600, 86_400]) : 0;
}

/** Makes the service's list complete, if payments made elsewhere must be found in it. */
function listsAll(scene: Scene): void {
  scene.listsUnknown = false;
  scene.listsLagSeconds = 0;
  scene.createdBehindSeconds = Math.min(scene.createdBehindSeconds, 3_600);
  scene.worlds.pagesLists = scene.worlds.breaksLists = false;
}

async function setUpAccountsAndPages(scene: Scene): Promise<void> {
  const { random, service, accounts } = scene;
  for (const name of ['account 1', 'account 2']) {
    accounts.push({ name, at: { id: '', apiKey: '', deliveries: [], pendingDelivery: '' }, revoked: false });
  }
  addIntents(scene);
  if (scene.batchRandom !== null) addBatchIntents(scene, scene.batchRandom);
  const withDeliveries = scene.intents.some(({ kind }) => kind === 'webhook-replay');
  const isOneAccount = scene.worlds.sharesAccount;
  if (isOneAccount) scene.count('twoKeysOfOneAccount');
  for (const account of accounts) {
    const first = accounts[0]?.at;
    const isSecondKey = isOneAccount && first !== undefined && first.id !== '';
    account.at = isSecondKey ? await service.addKey(first) : await service.open(withDeliveries);
  }
  const [a, b] = scene.hosts;
  if (a) startServer(scene, a);
  if (b && random.chance(0.8)) startServer(scene, b, { readOnly: random.chance(0.12) });
  const count = random.whole(1, 3);
  for (let index = 0; index < count; index += 1) {
    const account = (index > 0 && random.chance(0.2) ? accounts[1] : accounts[0]) ?? null;
    const cookie = account && newCookie(scene, account);
    const profile = { name: `person ${index + 1}`, pages: [], cookie, offline: false };
    scene.profiles.push(profile);
    openPage(scene, profile);
  }
}

/** Whether nothing is open and every intent has succeeded. */
function isIdle({ database, intents }: Scene): boolean {
  const records = [...database.records.values()];
  return (
    [...database.unreadable.values()].every(Boolean) &&
    !records.some(({ state }) => isUnresolved(state)) &&
    intents.every((intent) => records.some(({ key, state }) => state === 'succeeded' && isKeyOf(intent, key)))
  );
}

/** Until the next step of a person. */
function thinkTimeMs(scene: Scene): number {
  const { random }: { random: Random } = scene;
  // After the lease, while the server that sent it still tries to record the response.
  if (scene.worlds.secondIds && random.chance(0.4)) return random.whole(20_000, 60_000);
  if (scene.worlds.deafColleagues && random.chance(0.2)) return random.whole(60_000, 5 * 60_000);
  // In worlds whose faults need a day, people wait for a day more often.
  if (takesADay(scene) && random.chance(0.15)) return random.whole(17, 30) * HOUR_MS;
  const kind = random.next();
  if (kind < 0.35) return random.whole(100, 5_000);
  if (kind < 0.75) return random.whole(5_000, 90_000);
  if (kind < 0.89) return random.whole(90_000, 45 * 60_000);
  if (kind < 0.96) return random.whole(1, 10) * HOUR_MS;
  if ([...scene.database.records.values()].some(({ state }) => isUnresolved(state))) scene.count('waitsPast24h');
  return kind < 0.995 ? random.whole(24, 30) * HOUR_MS : random.whole(7, 9) * 24 * HOUR_MS;
}

function endsOf({ database, judge, intents }: Scene): string[] {
  const executed = intents.map((intent) => {
    return `${intent.name}: ${judge.executions.filter(({ key }) => isKeyOf(intent, key)).length}`;
  });
  return [...executed, ...[...database.records.values()].map(describe)];
}

function describe({ key, state, reason, attempts }: OperationRecord): string {
  return `${key} ${state} ${reason ?? ''} ${attempts.map(({ outcome }) => outcome).join(',')}`;
}

function elapsed(agenda: Agenda): string {
  const ms = agenda.now() - START_MS;
  const hours = Math.floor(ms / HOUR_MS);
  const rest = new Date(ms % HOUR_MS).toISOString().slice(14, 23);
  return `${String(hours).padStart(3)}:${rest}`;
}
