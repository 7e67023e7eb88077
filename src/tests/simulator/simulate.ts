import { type OperationRecord, isUnresolved } from '#src/operations/record.ts';
import { act } from './person.ts';
import { createAgenda } from './agenda.ts';
import { openTab } from './browser.ts';
import type { Counts } from './counts.ts';
import { end } from './ending.ts';
import { addIntents } from './intents.ts';
import { type Verdicts, createJudge } from './judge.ts';
import { createModel } from './model.ts';
import { type Random, randomOf } from './random.ts';
import type { RealService } from './realService.ts';
import { type Account, type Mutation, type Scene, isKeyOf } from './scene.ts';

/** The service's clock at the start of every run, milliseconds. */
const START_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;

export interface Outcome {
  intents: number;
  verdicts: Verdicts;
  counts: Partial<Counts>;
  lostStorage: boolean;
  /** How every operation ended, and what the service executed: the same in both forms of the service. */
  ends: string[];
}

export interface Options {
  /** The real handler; absent: the model. */
  service?: RealService | undefined;
  mutation?: Mutation;
  tell?: (line: string) => void;
}

/** One run: everything in it follows from the seed. */
export async function simulate(seed: number, { service: real, mutation = {}, tell }: Options = {}): Promise<Outcome> {
  const random = randomOf(seed);
  const agenda = createAgenda(START_MS);
  real?.live(agenda.now);
  const service = real ?? createModel(agenda.now);
  const counts: Partial<Counts> = {};
  let names = 0;
  const accounts: Account[] = [];
  const scene: Scene = {
    random,
    agenda,
    service,
    judge: createJudge(() => scene),
    browser: {
      disk: new Map(),
      broken: new Map(),
      tabs: [],
      cookie: null,
      offline: false,
      skew: 0,
      stood: 0,
      locks: new Map(),
    },
    accounts,
    intents: [],
    mutation,
    heat: random.pick([0.4, 0.8, 1]),
    failures: new Map(),
    onTheWay: new Map(),
    posts: new Map(),
    listsUnknown: random.chance(0.15),
    listsLagSeconds: random.chance(0.15) ? random.pick([20, 600, 3_600]) : 0,
    colleagues: 0,
    lostStorage: random.chance(0.03),
    name: (prefix) => `${prefix}${(names += 1)}`,
    count: (fault) => void (counts[fault] = (counts[fault] ?? 0) + 1),
    tell: tell && ((line) => tell(`${elapsed(agenda.now() - START_MS)}  ${line}`)),
  };
  for (const name of ['account A', 'account B']) {
    const session = { service: 'sandbox', account: name, sandbox: null, read_only: false };
    accounts.push({ session, at: { id: '', apiKey: '', deliveries: [], pendingDelivery: '' }, revoked: false });
  }
  addIntents(scene);
  const withDeliveries = scene.intents.some(({ kind }) => kind === 'webhook-replay');
  const isOneAccount = random.chance(0.15);
  if (isOneAccount) scene.count('twoKeysOfOneAccount');
  for (const account of accounts) {
    const first = accounts[0]?.at;
    const isSecondKey = isOneAccount && first !== undefined && first.id !== '';
    account.at = isSecondKey ? await service.addKey(first) : await service.open(withDeliveries);
  }
  scene.browser.cookie = accounts[0] ?? null;
  scene.browser.skew = random.chance(0.3) ? random.whole(-30 * HOUR_MS, 30 * HOUR_MS) : 0;
  openTab(scene);
  const acts = random.whole(6, 20);
  for (let count = 0; count < acts; count += 1) {
    if (isIdle(scene) && random.chance(0.35)) break;
    agenda.stir();
    act(scene);
    await agenda.run(thinks(scene));
    await agenda.run(agenda.asleepFor());
  }
  await end(scene);
  await scene.judge.close();
  return {
    intents: scene.intents.length,
    verdicts: scene.judge.verdicts,
    counts,
    lostStorage: scene.lostStorage,
    ends: endsOf(scene),
  };
}

/** Nothing is open, and every intent is done. */
function isIdle({ browser, intents }: Scene): boolean {
  const records = [...browser.disk.values()];
  return (
    browser.broken.size === 0 &&
    !records.some(({ state }) => isUnresolved(state)) &&
    intents.every((intent) => records.some(({ key, state }) => state === 'succeeded' && isKeyOf(intent, key)))
  );
}

/** How long the person does nothing, milliseconds. */
function thinks(scene: Scene): number {
  const { random }: { random: Random } = scene;
  const kind = random.next();
  if (kind < 0.35) return random.whole(100, 5_000);
  if (kind < 0.75) return random.whole(5_000, 90_000);
  if (kind < 0.89) return random.whole(90_000, 45 * 60_000);
  if (kind < 0.96) return random.whole(1, 10) * HOUR_MS;
  if ([...scene.browser.disk.values()].some(({ state }) => isUnresolved(state))) scene.count('waitsPast24h');
  return kind < 0.995 ? random.whole(24, 30) * HOUR_MS : random.whole(7, 9) * 24 * HOUR_MS;
}

function endsOf({ browser, judge, intents }: Scene): string[] {
  const executed = intents.map((intent) => {
    return `${intent.name}: ${judge.executions.filter(({ key }) => isKeyOf(intent, key)).length}`;
  });
  return [...executed, ...[...browser.disk.values()].map(describe)];
}

function describe({ id, key, state, reason, attempts }: OperationRecord): string {
  return `${id} ${key} ${state} ${reason ?? ''} ${attempts.map(({ outcome }) => outcome).join(',')}`;
}

function elapsed(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  const rest = new Date(ms % HOUR_MS).toISOString().slice(14, 23);
  return `${String(hours).padStart(3)}:${rest}`;
}
