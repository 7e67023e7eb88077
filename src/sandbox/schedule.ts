import type { Account } from './accounts.ts';
import { confirmSecondsOf } from './assets.ts';
import type { Due } from './withdrawals.ts';

// When things fall due, in milliseconds of the account's time. The living account is quicker, so that a person can watch.
const STILL = { broadcast: 60_000, complete: 300_000 };
const LIVING = { broadcast: 12_000, complete: 40_000, failInThousand: 60 };

/** What follows a new withdrawal: its broadcast, or for a few of the living account their failure. */
export function broadcastDue(account: Account, now: number): Due {
  if (!account.lives) return { at: now + STILL.broadcast, status: 'broadcasted' };
  const fails = Math.random() * 1000 < LIVING.failInThousand;
  return { at: now + LIVING.broadcast, status: fails ? 'failed' : 'broadcasted' };
}

/** What follows a broadcast. */
export function completeDue(account: Account, now: number): Due {
  return { at: now + (account.lives ? LIVING.complete : STILL.complete), status: 'completed' };
}

/** When a deposit of the asset that arrived then completes. */
export function confirmDue(asset: string, at: number): { at: number; status: 'completed' } {
  return { at: at + confirmSecondsOf(asset) * 1000, status: 'completed' };
}
