import { takeStartTurn, type Queries } from '#src/server/database/sql.ts';
import { createAccount, findAccount, type SandboxAccount } from './accounts.ts';
import { type SandboxContext, killAt } from './context.ts';
import { seedAccount } from './seed.ts';
import { addressFor } from './ids.ts';
import { ASSETS, type AssetPlan } from './assets.ts';
import { createWithdrawal, holdAccount, settle } from './withdrawals.ts';
import { recordDeposit } from './deposits.ts';
import { ErrorResponse } from './outcome.ts';

const TICK_MS = 1000;

/**
 * Opens the demo account of that size, creating and seeding it at the first start, and keeps it active by the wall clock.
 * Its key is stored in plain text, because it's printed at every start and no real money depends on it.
 */
export async function openDemo(context: SandboxContext, deposits: number) {
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
    key,
    async stop() {
      clearInterval(timer);
      await ticking;
    },
  };
}

const WATCHED_GAP_MS = 75_000;
const ABSENT_GAP_MS = 45 * 60_000;
/** In the last ten minutes deposits arrive fast enough to watch; before that, at the pace of the seeded year. */
const WATCHED_MS = 10 * 60_000;
/** Maximum arrivals per tick, so that no transaction is long after a pause; the rest follow with the next ticks. */
const MOST_ARRIVALS = 40;
const PAYOUT_SHARE = 0.08;
const PAYEES = 9;

/** An exponentially distributed waiting time, as of independent arrivals. */
function gap(meanMs: number): number {
  return Math.max(1000, Math.round(-Math.log(1 - Math.random()) * meanMs));
}

function chosenPlan(): AssetPlan {
  const total = ASSETS.reduce((sum, plan) => sum + plan.weight, 0);
  let left = Math.random() * total;
  return ASSETS.find((plan) => (left -= plan.weight) < 0) ?? ASSETS[0]!;
}

/** A typical amount as a plain decimal of the asset's scale; digits beyond a float's precision are random. */
function amountLike(plan: AssetPlan): string {
  const size = plan.typical * 10 ** (Math.random() * 2.4 - 1.6);
  const [integer = '0', fraction = ''] = size.toFixed(Math.min(plan.scale, 12)).split('.');
  const rest = Array.from({ length: plan.scale - fraction.length }, () => Math.floor(Math.random() * 10)).join('');
  return `${integer}.${fraction}${rest}`;
}

/** When a deposit of the living account settles: soon enough to watch. A few fail. */
function dueOf(at: number) {
  const fails = Math.random() < 0.03;
  return { at: at + 20_000 + Math.round(Math.random() * 40_000), status: fails ? 'failed' : 'completed' } as const;
}

async function payOut(tx: Queries, account: SandboxAccount, at: number, plan: AssetPlan): Promise<void> {
  const address = addressFor(plan.chain, `payee ${Math.floor(Math.random() * PAYEES)}`);
  try {
    const { asset, chain } = plan;
    await createWithdrawal(tx, account, at, { asset, chain, amount: amountLike(plan), address }, killAt());
  } catch (error) {
    // Insufficient funds: refused before anything was written.
    if (!(error instanceof ErrorResponse)) throw error;
  }
}

/**
 * Brings the living account up to date: deposits that arrived since, also during a pause, and everything that fell due.
 */
async function liveOn({ sql, now }: SandboxContext, id: string): Promise<void> {
  const [idle] = await sql.query(
    `select 1 as nothing from accounts a where a.id = $1 and a.arrives_at > $2::bigint + a.offset_ms
       and not exists (select 1 from deposits d where d.account = a.id and d.due_at <= $2::bigint + a.offset_ms)
       and not exists (select 1 from withdrawals w where w.account = a.id and w.due_at <= $2::bigint + a.offset_ms)`,
    [id, now()],
  );
  if (idle !== undefined) return;
  await sql.transaction(async (tx) => {
    await holdAccount(tx, id);
    const account = await findAccount(tx, id);
    const reached = now() + account.offsetMs;
    const [row] = await tx.query<{ arrives_at: string | null }>('select arrives_at::text from accounts where id = $1', [
      id,
    ]);
    const first = row?.arrives_at == null ? reached + gap(WATCHED_GAP_MS / 3) : Number(row.arrives_at);
    let next = first;
    for (let made = 0; next <= reached && made < MOST_ARRIVALS; made += 1) {
      const plan = chosenPlan();
      const { asset, chain } = plan;
      await recordDeposit(tx, { account: id, asset, chain, amount: amountLike(plan), at: next, due: dueOf(next) });
      if (Math.random() < PAYOUT_SHARE) await payOut(tx, account, next, plan);
      next += gap(reached - next > WATCHED_MS ? ABSENT_GAP_MS : WATCHED_GAP_MS);
    }
    if (next !== first || row?.arrives_at == null) {
      await tx.query('update accounts set arrives_at = $2 where id = $1', [id, next]);
    }
    await settle(tx, account, Math.min(next, reached));
  });
}
