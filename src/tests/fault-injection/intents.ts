import { chargeRequest } from '#src/shared/operations/charge.ts';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { isUnresolved } from '#src/shared/operations/states.ts';
import { webhookReplayRequest } from '#src/shared/operations/webhookReplay.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import type { Random } from './random.ts';
import {
  type SimulatedAccount,
  type Intent,
  type Scene,
  type Sendable,
  isKeyOf,
  mayStillArrive,
  recordsOf,
} from './scene.ts';

/** For how long people may forget a payment: the second-send step looks back 24 h. */
const FORGETS_MS = 20 * 60 * 60 * 1_000;

/** The same for a charge or a deposit address: the step looks back 10 minutes, of which pressing Send and review take three. */
const FORGETS_SHORTLY_MS = 6 * 60 * 1_000;

const PLACES = [
  {
    asset: 'BTC',
    chain: 'bitcoin',
    addresses: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  },
  {
    asset: 'USDT',
    chain: 'ethereum',
    addresses: ['0x52908400098527886E0F7030069857D2E4169EE7', '0x52908400098527886e0f7030069857d2e4169ee7'],
  },
  { asset: 'SOL', chain: 'solana', addresses: ['11111111111111111111111111111112'] },
];
const AMOUNTS = ['1.5', '1.50', '2.25'];
const TOO_MUCH = '99000000';

const UNTOUCHED = { settled: false, seenDone: false, paidElsewhere: null } as const;

export function addIntents(scene: Scene): void {
  const { random, worlds } = scene;
  const isAlike = worlds.repeatsIds || worlds.altersObjects || worlds.sharesAccount;
  const count = random.whole(isAlike ? 2 : 1, 3);
  for (let index = 0; index < count; index += 1) {
    const account = scene.accounts[random.chance(0.8) ? 0 : 1] ?? random.pick(scene.accounts);
    const earlier = scene.intents.filter((intent) => intent.account === account);
    if (earlier.length > 0 && random.chance(isAlike ? 0.8 : 0.4)) {
      scene.count('identicalIntents');
      const twin = random.pick(earlier);
      scene.intents.push({ ...twin, ...UNTOUCHED, keys: [], name: `${twin.name} again` });
      continue;
    }
    const isUsual = scene.setsBack || random.chance(scene.worlds.deafColleagues ? 0.5 : 0.8);
    scene.intents.push(isUsual ? withdrawal(scene, account, index) : another(scene, account, index));
  }
}

function withdrawal({ random }: Scene, account: SimulatedAccount, index: number): Intent {
  const { asset, chain, addresses } = random.pick(PLACES);
  let amount = random.chance(0.06) ? TOO_MUCH : random.pick(AMOUNTS);
  return {
    name: `intent ${index + 1} (${asset})`,
    kind: 'withdrawal',
    account,
    ...UNTOUCHED,
    keys: [],
    // Typed each time: the same destination may be spelled differently.
    request: () => withdrawalRequest({ asset, chain, amount, address: random.pick(addresses) }),
    amend: () => {
      if (amount === TOO_MUCH) amount = random.pick(AMOUNTS);
    },
  };
}

function another(scene: Scene, account: SimulatedAccount, index: number): Intent {
  const kind = scene.random.pick(['deposit-address', 'charge', 'webhook-replay'] as const);
  return intentOfKind(scene, account, kind, index);
}

/** An intent of a kind whose response the contract doesn't show. */
export function intentOfKind(
  { random }: Scene,
  account: SimulatedAccount,
  kind: Exclude<OperationKind, 'withdrawal'>,
  index = 0,
): Intent {
  const which = random.whole(0, 4);
  const delivery = (): string => (which === 4 ? account.at.pendingDelivery : account.at.deliveries[which % 2]) ?? '';
  const pair = { asset: 'BTC', chain: 'bitcoin' };
  return {
    name: `intent ${index + 1} (${kind})`,
    kind,
    account,
    ...UNTOUCHED,
    keys: [],
    request: () => {
      if (kind === 'deposit-address') return depositAddressRequest(pair);
      if (kind === 'charge') return chargeRequest(JSON.stringify({ ...pair, amount: '0.5' }));
      return webhookReplayRequest(delivery());
    },
    amend: () => undefined,
  };
}

/** Further payments, so that a batch has several; some like others, or to the same address. */
export function addBatchIntents(scene: Scene, random: Random): void {
  const account = random.pick([scene.accounts[0], scene.accounts[0], scene.accounts[1]]) ?? random.pick(scene.accounts);
  const count = random.whole(2, 4);
  for (let index = 0; index < count; index += 1) {
    const earlier = scene.intents.filter((intent) => intent.account === account && intent.kind === 'withdrawal');
    const name = `payment ${index + 1}`;
    if (earlier.length > 0 && random.chance(0.25)) {
      const twin = random.pick(earlier);
      scene.intents.push({ ...twin, ...UNTOUCHED, keys: [], name: `${name}, as ${twin.name}` });
      continue;
    }
    const amount = random.pick(AMOUNTS);
    const address = `0x${String(index).repeat(40)}`;
    const request = (): Sendable => withdrawalRequest({ asset: 'USDT', chain: 'ethereum', amount, address });
    scene.intents.push({ name, kind: 'withdrawal', account, ...UNTOUCHED, keys: [], request, amend: () => undefined });
  }
}

type Shown = Pick<OperationRecord, 'key' | 'state'>;

/** Whether a person opens a form for it, or sends an open form: only if they believe that it still has to be done. */
export function isWanted(scene: Scene, intent: Intent, shown: readonly Shown[]): boolean {
  if (believed(scene, intent, shown) !== 'to do') return false;
  // The page's data may be old. Outside the time that the second-send step covers, people look first.
  return mayBeForgotten(scene, intent) || believed(scene, intent, recordsOf(scene)) === 'to do';
}

/**
 * What people believe about the intent from the operations on a page. After closing one they rely on the service: the
 * truth, once no request is in transit.
 */
export function believed(scene: Scene, intent: Intent, shown: readonly Shown[]): 'to do' | 'open' | 'done' {
  if (intent.settled || intent.seenDone) return 'done';
  const own = shown.filter(({ key }) => isKeyOf(intent, key));
  if (own.some(({ state }) => state === 'succeeded')) return 'done';
  const isOpen = ({ key, state }: Shown): boolean =>
    (isUnresolved(state) || state === 'awaiting') && !scene.database.unreadable.has(key);
  if (own.some(isOpen)) return 'open';
  const closed = own.filter(({ state }) => state === 'closed').map(({ key }) => key);
  for (const [key, isClosed] of scene.database.unreadable) {
    if (!isKeyOf(intent, key)) continue;
    if (!isClosed) return 'open';
    closed.push(key);
  }
  return truthOf(scene, intent, closed);
}

/** The truth about these keys by the service, including requests that may still reach it. */
export function truthOf(scene: Scene, intent: Intent, keys: readonly string[]): 'to do' | 'open' | 'done' {
  if (keys.some((key) => scene.judge.wasExecuted(key))) intent.settled = true;
  if (intent.settled) return 'done';
  return keys.some((key) => mayStillArrive(scene, key)) ? 'open' : 'to do';
}

/** Whether people may forget their earlier attempts: the second-send step would still remind them. */
export function mayBeForgotten(scene: Scene, intent: Intent): boolean {
  if (isSettledFor(scene, intent)) return false;
  const own = recordsOf(scene).filter(({ key }) => isKeyOf(intent, key));
  if (own.some(({ key }) => scene.database.unreadable.get(key) === true)) return false;
  const isDeaf = scene.worlds.deafColleagues;
  return own.every(
    ({ key, state }) =>
      isUnresolved(state) ||
      state === 'awaiting' ||
      state === 'refused' ||
      state === 'not-sent' ||
      ((state === 'succeeded' || (state === 'closed' && isDeaf)) &&
        scene.agenda.now() - scene.judge.recordedAt(key) < forgetsMs(scene, intent)),
  );
}

/** Colleagues who don't talk to each other are held back only by the second-send step. */
function isSettledFor({ worlds }: Scene, { settled, kind, paidElsewhere }: Intent): boolean {
  // Everyone knows of a payment made elsewhere by the time the service's list needn't show it any more.
  if (worlds.deafColleagues) return settled && paidElsewhere !== null;
  return settled || kind === 'deposit-address' || kind === 'charge';
}

function forgetsMs({ worlds }: Scene, { kind }: Intent): number {
  if (!worlds.deafColleagues || kind === 'withdrawal') return FORGETS_MS;
  return kind === 'webhook-replay' ? Number.POSITIVE_INFINITY : FORGETS_SHORTLY_MS;
}

/** Whether it was executed, whether or not people know. */
export function isDone({ judge }: Scene, { keys }: Intent): boolean {
  return keys.some((key) => judge.wasExecuted(key));
}
