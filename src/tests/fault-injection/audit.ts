import type { Scene } from './scene.ts';
import type { Executed } from './service.ts';

const BOOKS: [RegExp, keyof Executed][] = [
  [/withdrawals$/, 'withdrawals'],
  [/deposits$/, 'deposit_addresses'],
  [/charges$/, 'charges'],
  [/replay$/, 'webhook_replays'],
];

/** Checks that the executions seen by the simulation equal the service's books; otherwise its results mean nothing. */
export async function audit(scene: Scene): Promise<void> {
  const total: Executed = {
    withdrawals: scene.withdrawalsElsewhere,
    deposit_addresses: 0,
    charges: 0,
    webhook_replays: 0,
  };
  const booked: Executed = { withdrawals: 0, deposit_addresses: 0, charges: 0, webhook_replays: 0 };
  for (const { path } of scene.judge.executions) {
    const book = BOOKS.find(([pattern]) => pattern.test(path))?.[1];
    if (book !== undefined) total[book] += 1;
  }
  const accounts = new Map(scene.accounts.map(({ at }) => [at.id, at]));
  for (const account of accounts.values()) {
    const executed = await scene.service.executed(account);
    for (const [, book] of BOOKS) booked[book] += executed[book];
  }
  for (const [, book] of BOOKS) {
    if (booked[book] !== total[book])
      throw new Error(`The books hold ${booked[book]} ${book}, but ${total[book]} were seen.`);
  }
}
