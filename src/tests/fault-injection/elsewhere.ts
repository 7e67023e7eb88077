import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { type SimulatedAccount, type Intent, type Scene, type Sendable, intentOf } from './scene.ts';

type Move = { weight: number; make: () => void };

/** After this time everyone knows of the payment; the review looks back a day. */
const NEWS_MS = 20 * 60 * 60 * 1_000;

/** Payments made without this product. */
export function elsewhere(scene: Scene): Move[] {
  const { agenda, worlds, rightClock } = scene;
  const pays = (pay: (scene: Scene) => Promise<void>) => (): void => agenda.after(0, () => pay(scene));
  // With a wrong clock another day of the list would be read.
  const isListed = worlds.paysElsewhere && rightClock === 'service';
  return [
    { weight: 0.08, make: pays(paySame) },
    { weight: worlds.pagesLists ? 3 : 0, make: pays(payOther) },
    { weight: isListed ? weightOfPayIntent(scene) : 0, make: pays(payIntent) },
  ];
}

function weightOfPayIntent(scene: Scene): number {
  const payable = scene.intents.filter((intent) => canBePaidElsewhere(scene, intent));
  return payable.some(({ keys }) => keys.length > 0) ? 20 : payable.length > 0 ? 2 : 0;
}

/** Someone makes the same withdrawal as one of the intents. */
async function paySame(scene: Scene): Promise<void> {
  const withdrawals = scene.intents.filter(({ kind }) => kind === 'withdrawal');
  if (withdrawals.length === 0) return;
  const { account, request } = scene.random.pick(withdrawals);
  if (!(await pay(scene, account, request()))) return;
  scene.count('paidElsewhere');
  scene.tell?.('somebody makes an identical withdrawal elsewhere');
}

/** Someone makes a different withdrawal. */
async function payOther(scene: Scene): Promise<void> {
  const { random, intents } = scene;
  const fields = {
    asset: 'LTC',
    chain: 'litecoin',
    amount: '0.5',
    address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  };
  if (await pay(scene, random.pick(intents).account, withdrawalRequest(fields))) scene.count('paidOtherwise');
}

/** Returns whether it was paid; the service may refuse. */
async function pay(scene: Scene, account: SimulatedAccount, { path, body }: Sendable): Promise<boolean> {
  const key = scene.name('elsewhere ');
  if (intentOf(scene, key) !== undefined) return false;
  const served = await scene.service.post(account.at.apiKey, path, key, body);
  if (served.status >= 300) return false;
  scene.withdrawalsElsewhere += 1;
  return true;
}

/** True for a withdrawal without an operation, or only with waiting lines of batches that no run is sending. */
function canBePaidElsewhere(scene: Scene, { kind, keys }: Intent): boolean {
  return kind === 'withdrawal' && keys.every((key) => waitsInIdleBatch(scene, key));
}

/**
 * False while a run lasts, because its list may be ten minutes old. Also false for a line that was sent before the journal was
 * restored to an older copy, which shows it as waiting: nobody could avoid paying it twice.
 */
function waitsInIdleBatch({ database, judge }: Scene, key: string): boolean {
  const { state, batch } = database.records.get(key) ?? {};
  const batchState = database.batches.get(batch?.id ?? '')?.state;
  const isResting = batchState === 'waiting' || batchState === 'paused';
  return state === 'awaiting' && isResting && !judge.wasSent(key);
}

/** A colleague pays an intent that wasn't started here and tells nobody: only the service's list shows it. */
async function payIntent(scene: Scene): Promise<void> {
  const { random, agenda, judge } = scene;
  const intent = random.pick(scene.intents.filter((one) => canBePaidElsewhere(scene, one)));
  const { account, request } = intent;
  const { path, body } = request();
  const key = scene.name('elsewhere ');
  if (intent.keys.length > 0) scene.count('keyLinesPaidElsewhere');
  intent.keys.push(key);
  const served = await scene.service.post(account.at.apiKey, path, key, body);
  if (served.status >= 300) return;
  const { id }: { id: string } = JSON.parse(served.text);
  judge.executed({ path, key, id, account: account.at.id, body, served });
  intent.paidElsewhere = key;
  scene.count('intentsPaidElsewhere');
  scene.tell?.(`a colleague pays ${intent.name} elsewhere`);
  agenda.after(NEWS_MS, () => {
    intent.settled = true;
  });
}
