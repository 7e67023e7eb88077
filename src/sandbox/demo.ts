import { takeStartTurn } from '#src/database/migrate.ts';

import { createAccount } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { liveOn } from './demoLife.ts';
import { seedAccount } from './seed.ts';

const TICK_MS = 1000;

export interface Demo {
  account: string;
  key: string;
  stop(): Promise<void>;
}

/**
 * Opens the demo account of that size, made and seeded at the first start, and lets it live by the wall clock. Its key
 * is kept in the clear: it is printed at every start, and opens no real money.
 */
export async function openDemo(context: SandboxContext, deposits: number): Promise<Demo> {
  const { sql, now } = context;
  const name = `demo:${deposits}`;
  const { account, key } = await sql.transaction(async (tx) => {
    await takeStartTurn(tx);
    const [kept] = await tx.query<{ value: string }>('select value from settings where name = $1', [name]);
    if (kept !== undefined) {
      const [account = '', key = ''] = kept.value.split(' ');
      return { account, key };
    }
    const made = await createAccount(tx, now(), true);
    await seedAccount(tx, { account: made.id, seed: name, now: now(), deposits, assets: 7, lives: true });
    await tx.query('insert into settings (name, value) values ($1, $2)', [name, `${made.id} ${made.key}`]);
    for (const table of ['deposits', 'withdrawals', 'ledger_entries', 'balances']) await tx.script(`analyze ${table}`);
    context.kill('starting');
    return { account: made.id, key: made.key };
  });

  let ticking: Promise<void> | null = null;
  const tick = () => {
    ticking ??= liveOn(context, account)
      .catch((error: unknown) => console.error('demo:', error instanceof Error ? error.message : 'unknown'))
      .finally(() => {
        ticking = null;
      });
  };
  tick();
  const timer = setInterval(tick, TICK_MS);
  timer.unref();
  return {
    account,
    key,
    async stop() {
      clearInterval(timer);
      await ticking;
    },
  };
}
