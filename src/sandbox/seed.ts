import { addressFor } from './addresses.ts';
import { assetPlans } from './assets.ts';
import { SEED_BALANCES, SEED_CHAINS, SEED_DEPOSITS, SEED_LEDGER, SEED_OPENING, SEED_WITHDRAWALS } from './seedSql.ts';
import type { Queries } from '#src/database/sql.ts';

export interface Seed {
  account: string;
  /** The same seed makes the same amounts. */
  seed: string;
  /** Milliseconds: the end of the year that is made. */
  now: number;
  deposits: number;
  assets: number;
  /** The demo account has earned all it holds; a still one begins with ample funds. */
  lives: boolean;
}

const ADDRESSES_PER_CHAIN = 9;

const smallestOf = (scale: number) => (scale === 0 ? '1' : `0.${'1'.padStart(scale, '0')}`);

function plansOf({ seed, assets, lives, deposits }: Seed): string {
  const plans = assetPlans(assets);
  const total = plans.reduce((sum, plan) => sum + plan.weight, 0);
  let share = 0;
  return JSON.stringify(
    plans.map((plan, place) => {
      const from = share;
      share += plan.weight / total;
      return {
        ...plan,
        place,
        smallest: smallestOf(plan.scale),
        opening: lives ? '0' : plan.opening,
        confirm_ms: plan.confirmSeconds * 1000,
        from_share: from,
        to_share: place === plans.length - 1 ? 2 : share,
        // Where the withdrawals go, which there are none of without deposits.
        addresses: Array.from({ length: deposits === 0 ? 0 : ADDRESSES_PER_CHAIN }, (_, n) =>
          addressFor(plan.chain, `${seed}:${n}`),
        ),
      };
    }),
  );
}

/** Fills an empty account with a year of deposits, the withdrawals that they paid for and the ledger of both. */
export async function seedAccount(tx: Queries, seed: Seed): Promise<void> {
  if (seed.assets === 0) return;
  const base = [seed.account, seed.seed, seed.now, plansOf(seed)];
  // Compiling these few long statements costs more than running them.
  await tx.script('set local jit = off');
  await tx.query(SEED_CHAINS, base);
  await tx.query(SEED_OPENING, base);
  if (seed.deposits > 0) {
    const many = seed.deposits > 1000;
    const rows = [...base, seed.deposits, seed.deposits >= 10 ? 3 : 0, many ? 1 : 6];
    await filling(tx, 'deposits', seed.deposits, () => tx.query(SEED_DEPOSITS, rows));
    const withdrawals = seed.lives ? 200 : Math.min(200, Math.floor(seed.deposits / 25));
    const flying = Math.min(5, seed.assets, Math.floor(withdrawals / 5));
    if (many) await tx.query('analyze deposits');
    await tx.query(SEED_WITHDRAWALS, [...base, withdrawals - flying, flying]);
    await filling(tx, 'ledger_entries', seed.deposits, () => tx.query(SEED_LEDGER, base));
    // Nobody else does in an embedded database; a page that is planned without figures sorts the whole list.
    if (many) await tx.query('analyze ledger_entries');
  }
  await tx.query(SEED_BALANCES, base);
}

const TO_REBUILD = 50_000;

/** Indexes that are made after so many rows cost half of those that are kept while the rows come. */
async function filling(tx: Queries, table: string, deposits: number, fill: () => Promise<unknown>): Promise<void> {
  const indexes =
    deposits < TO_REBUILD
      ? []
      : await tx.query<{ name: string; made_by: string }>(
          `select indexname as name, indexdef as made_by from pg_indexes
           where schemaname = current_schema() and tablename = $1 and indexname <> $2`,
          [table, `${table}_pkey`],
        );
  for (const { name } of indexes) await tx.script(`drop index ${name}`);
  await fill();
  for (const { made_by } of indexes) await tx.script(made_by);
}
