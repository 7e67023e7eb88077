import {
  chargeRequest,
  depositAddressRequest,
  webhookReplayRequest,
  withdrawalRequest,
} from '#src/operations/kinds.ts';
import { type OperationRecord, isUnresolved } from '#src/operations/record.ts';
import { type Account, type Intent, type Scene, isKeyOf, serviceSeconds } from './scene.ts';

/** How long a person may forget what was done: the second-send step looks back 24 h. */
const FORGETS_SECONDS = 20 * 60 * 60;

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

export function addIntents(scene: Scene): void {
  const { random } = scene;
  const count = random.whole(1, 3);
  for (let index = 0; index < count; index += 1) {
    const account = scene.accounts[random.chance(0.8) ? 0 : 1] ?? random.pick(scene.accounts);
    const earlier = scene.intents.filter((intent) => intent.account === account);
    if (earlier.length > 0 && random.chance(0.4)) {
      scene.count('identicalIntents');
      const twin = random.pick(earlier);
      scene.intents.push({ ...twin, keys: [], settled: false, seenDone: false, name: `${twin.name} again` });
      continue;
    }
    scene.intents.push(random.chance(0.85) ? withdrawal(scene, account, index) : another(scene, account, index));
  }
}

function withdrawal({ random }: Scene, account: Account, index: number): Intent {
  const { asset, chain, addresses } = random.pick(PLACES);
  let amount = random.chance(0.06) ? TOO_MUCH : random.pick(AMOUNTS);
  return {
    name: `intent ${index + 1} (${asset})`,
    kind: 'withdrawal',
    account,
    keys: [],
    settled: false,
    seenDone: false,
    // Typed anew each time: the same place and amount may be written in another way.
    request: (key, secondSendOf) =>
      withdrawalRequest(key, { asset, chain, amount, address: random.pick(addresses) }, secondSendOf),
    amend: () => {
      if (amount === TOO_MUCH) amount = random.pick(AMOUNTS);
    },
  };
}

function another({ random }: Scene, account: Account, index: number): Intent {
  const kind = random.pick(['deposit-address', 'charge', 'webhook-replay'] as const);
  const which = random.whole(0, 4);
  const delivery = (): string => (which === 4 ? account.at.pendingDelivery : account.at.deliveries[which % 2]) ?? '';
  const pair = { asset: 'BTC', chain: 'bitcoin' };
  return {
    name: `intent ${index + 1} (${kind})`,
    kind,
    account,
    keys: [],
    settled: false,
    seenDone: false,
    request: (key, secondSendOf) => {
      if (kind === 'deposit-address') return depositAddressRequest(key, pair);
      if (kind === 'charge') return chargeRequest(key, JSON.stringify({ ...pair, amount: '0.5' }));
      return webhookReplayRequest(key, delivery(), secondSendOf);
    },
    amend: () => undefined,
  };
}

/** Whether the person opens a form for it, or presses Send in one that stands: not, when it is known to be done or open. */
export function isWanted(scene: Scene, intent: Intent, shown: readonly OperationRecord[]): boolean {
  if (believed(scene, intent, shown) !== 'to do') return false;
  // What this page shows may be old. Beyond what the app promises to ask about, the person looks first.
  return mayBeForgotten(scene, intent) || believed(scene, intent, [...scene.browser.disk.values()]) === 'to do';
}

/**
 * What the person takes the intent for, by the operations that a page shows. After closing, the person holds the
 * service's own word: the truth, once nothing is on its way any more.
 */
function believed(scene: Scene, intent: Intent, shown: readonly OperationRecord[]): 'to do' | 'open' | 'done' {
  if (intent.settled || intent.seenDone) return 'done';
  const own = shown.filter(({ key }) => isKeyOf(intent, key));
  if (own.some(({ state }) => state === 'succeeded')) return 'done';
  if (own.some(({ state }) => isUnresolved(state))) return 'open';
  const closed: { key: string }[] = own.filter(({ state }) => state === 'closed');
  for (const { key, damaged } of scene.browser.broken.values()) {
    if (!isKeyOf(intent, key)) continue;
    if (damaged.closed === undefined) return 'open';
    closed.push({ key });
  }
  for (const { key } of closed) {
    if (scene.judge.wasExecuted(key)) intent.settled = true;
    if (intent.settled) return 'done';
    if ((scene.onTheWay.get(key) ?? 0) > 0) return 'open';
  }
  return 'to do';
}

/** Whether a person who forgot about the intent is still within what the app promises to remember. */
export function mayBeForgotten(scene: Scene, intent: Intent): boolean {
  if (intent.settled || intent.kind === 'deposit-address' || intent.kind === 'charge') return false;
  const own = [...scene.browser.disk.values()].filter(({ key }) => isKeyOf(intent, key));
  if (intent.seenDone && !own.some(({ state }) => state === 'succeeded')) return false;
  const broken = [...scene.browser.broken.values()].filter(({ key }) => isKeyOf(intent, key));
  if (broken.some(({ damaged }) => damaged.closed !== undefined)) return false;
  return own.every(
    ({ state, firstSentAt }) =>
      isUnresolved(state) ||
      state === 'refused' ||
      state === 'not-sent' ||
      (state === 'succeeded' && serviceSeconds(scene) - firstSentAt < FORGETS_SECONDS),
  );
}
