import { addressFor } from './ids.ts';
import { assetPlans } from './assets.ts';
import type { Queries } from '#src/server/database/sql.ts';

// The history of a seeded account; each part is one set-based SQL statement. Randomness comes from hashes of the seed and a
// number, so the same seed gives the same amounts. Parameters: $1 account, $2 seed, $3 now (ms), $4 plans (JSON).

const PLANS = `given as (select $1::text as account, $2::text as seed, $3::bigint as now),
plans as materialized (select * from json_to_recordset($4::text::json) as p(
  place int, asset text, chain text, scale int, smallest numeric, typical float8, fee numeric, opening numeric, confirm_ms bigint,
  from_share float8, to_share float8, addresses json))`;

const HOUR = 3_600_000;
const YEAR_HOURS = 8760;

/**
 * $5: number of deposits. $6: minimum number of the latest that stay pending. $7: hours per slot, a divisor of 24. Every
 * slot gets a weight, which for a short list costs more than everything else.
 */
export const SEED_DEPOSITS = `
with ${PLANS},
hours as (
  select h, $3::bigint - ${YEAR_HOURS}::bigint * ${HOUR} + h::bigint * ${HOUR} as at
  from generate_series(0, ${YEAR_HOURS - 1}, $7::int) h),
clocks as (
  select h, at, to_timestamp(at / 1000) at time zone 'UTC' as utc from hours),
weights as (
  select h, at, (0.5 + h / ${YEAR_HOURS}.0)
    * case when extract(isodow from utc) > 5 then 0.45 else 1 end
    * (0.3 + power(sin(pi() * (extract(hour from utc)::float8 + 1) / 25), 2))
    * (0.5 + unit(substr(md5($2 || ':hour:' || h), 1, 8))) as weight
  from clocks),
shares as (
  select h, at, sum(weight) over (order by h) / sum(weight) over () as upto from weights),
counts as (
  select h, at, (round($5::int * upto) - round($5::int * lag(upto, 1, 0::float8) over (order by h)))::int as n
  from shares),
moments as (
  select row_number() over (order by h, k) as i,
    at + floor($7::int * ${HOUR} * (k - 1 + unit(substr(md5($2 || ':second:' || h || ':' || k), 1, 8))) / n)::bigint as at
  from counts cross join lateral generate_series(1, n) k),
hashed as (select i, at, md5($2 || ':deposit:' || i) as hash from moments),
lately as (
  select i, case when i > $5::int - $6::int then greatest(at, $3::bigint - 70000 * ($5::int - i + 1)) else at end as at, hash
  from hashed),
drawn as materialized (
  select i, at, hash, unit(substr(hash, 1, 8)) as share, unit(substr(hash, 9, 8)) as spread,
    unit(substr(hash, 17, 8)) as habit, ('x' || substr(hash, 17, 8))::bit(32)::bigint as dust,
    unit(substr(hash, 25, 8)) as luck
  from lately),
sized as materialized (
  select d.*, p.*, typical * power(10::float8, spread * 2.6 - 1.7) as size
  from drawn d join plans p on share >= from_share and share < to_share),
amounts as (
  select i, at, luck, asset, chain, confirm_ms,
    greatest(smallest, round(case
      when asset = 'ETH' and i % 89 = 7 then smallest
      when habit < 0.3 then round(size::numeric, least(scale, 1 - floor(log(size))::int))
      when scale < 15 then size::numeric
      else size::numeric + dust * smallest
    end, scale)) as amount
  from sized),
states as (
  select *, case
      when i > $5::int - $6::int or at + confirm_ms > $3::bigint then 'pending'
      when luck < 0.012 then 'failed'
      else 'completed' end as status
  from amounts)
insert into deposits (id, account, status, asset, chain, received_amount, created_at, due_at, due_status)
select 'dep_' || token($2 || ':deposit:' || i), $1, status, asset, chain, amount, at,
  case when status = 'pending' then greatest(at + confirm_ms, $3::bigint + 60000 * (1 + i % 7)) end,
  case when status = 'pending' then 'completed' end
from states order by i`;

/** Time from a deposit's confirmation to the withdrawal that it funds. */
const AFTER_MS = 1_200_000;

/**
 * $5: number of ended withdrawals. $6: number in flight. An ended one takes a part of what its asset received since the
 * previous one, one in flight takes a twentieth of everything received, so no book is ever negative.
 */
export const SEED_WITHDRAWALS = `
with ${PLANS},
arrived as (
  select d.asset, d.received_amount as amount, d.created_at + p.confirm_ms as at, p.fee, d.seq,
    sum(d.received_amount) over (partition by d.asset order by d.created_at, d.seq) as received
  from deposits d join plans p on p.asset = d.asset where d.account = $1 and d.status = 'completed'),
worthy as (
  select *, row_number() over (order by at, seq) as r, count(*) over () as n
  from arrived where amount > 20 * fee and at < $3::bigint - 6 * ${HOUR}::bigint),
chosen as (
  select asset, at + ${AFTER_MS} as at, r,
    received - lag(received, 1, 0::numeric) over (partition by asset order by at, r) as since_last
  from worthy where floor(r * $5::int / n::numeric) > floor((r - 1) * $5::int / n::numeric)),
ended as (
  select r, asset, at, 'ended' as kind,
    since_last * (0.3 + 0.5 * unit(substr(md5($2 || ':part:' || r), 1, 8))::numeric) as amount
  from chosen),
totals as (select asset, sum(amount) as received from worthy group by asset),
flying as (
  select 1000000000 + p.place as r, p.asset, $3::bigint - (p.place * 190000 + 45000) as at,
    case when p.place < ($6::int + 1) / 2 then 'pending' else 'broadcasted' end as kind,
    t.received * 0.05 as amount
  from plans p join totals t on t.asset = p.asset where p.place < $6::int),
everything as (
  select e.*, p.scale, p.fee, p.chain, p.addresses, md5($2 || ':withdrawal:' || e.r) as hash
  from (select * from ended union all select * from flying) e join plans p on p.asset = e.asset),
states as (
  select *, case when kind <> 'ended' then kind when unit(substr(hash, 1, 8)) < 0.045 then 'failed'
    else 'completed' end as status
  from everything where amount > fee * 2)
insert into withdrawals
  (id, account, status, asset, chain, amount, fee, address, tx_hash, created_at, due_at, due_status)
select 'wd_' || token($2 || ':withdrawal:' || r), $1, status, asset, chain, round(amount, scale), round(fee, scale),
  addresses ->> (('x' || substr(hash, 9, 6))::bit(24)::int % json_array_length(addresses)),
  case when status in ('completed', 'broadcasted') then case chain
    when 'solana' then translate(
      token($2 || ':tx1:' || r) || token($2 || ':tx2:' || r) || token($2 || ':tx3:' || r) || token($2 || ':tx4:' || r),
      '0OIl', '2345')
    else case when chain in ('ethereum', 'polygon') then '0x' else '' end
      || encode(sha256(convert_to($2 || ':tx:' || r, 'UTF8')), 'hex') end
  end,
  at,
  case status when 'pending' then $3::bigint + 60000 when 'broadcasted' then $3::bigint + 300000 end,
  case status when 'pending' then 'broadcasted' when 'broadcasted' then 'completed' end
from states order by at, r`;

export const SEED_OPENING = `
with ${PLANS},
opened as (select 'ob_' || token($1 || ':' || place) as source, asset, opening from plans where opening > 0)
insert into ledger_entries (id, account, transaction_id, asset, book, amount, type, source, created_at)
select 'le_' || substr(source, 4) || '1' || side, $1, 'lt_' || substr(source, 4) || '1', asset, book, amount, 'opening',
  source, $3::bigint - 8761 * ${HOUR}::bigint
from (
  select source, asset, 0 as side, 'network' as book, -opening as amount from opened
  union all
  select source, asset, 1, 'available', opening from opened) entries
order by source, side`;

export const SEED_LEDGER = `
with ${PLANS},
moves as (
  select d.id as source, 1 as step, d.asset, 'deposit' as type, d.created_at as at, d.received_amount as amount,
    'network' as from_book, 'pending' as to_book from deposits d where d.account = $1
  union all
  select d.id, 2, d.asset, 'deposit', d.created_at + p.confirm_ms, d.received_amount, 'pending',
    case d.status when 'completed' then 'available' else 'network' end
  from deposits d join plans p on p.asset = d.asset where d.account = $1 and d.status <> 'pending'
  union all
  select id, 1, asset, 'withdrawal', created_at, amount, 'available', 'locked' from withdrawals where account = $1
  union all
  select id, 2, asset, 'withdrawal', created_at + 420000, amount, 'locked', 'available'
  from withdrawals where account = $1 and status = 'failed'
  union all
  select id, 2, asset, 'withdrawal', created_at + 840000, amount - fee, 'locked', 'network'
  from withdrawals where account = $1 and status = 'completed'
  union all
  select id, 3, asset, 'withdrawal', created_at + 840000, fee, 'locked', 'fees'
  from withdrawals where account = $1 and status = 'completed')
insert into ledger_entries (id, account, transaction_id, asset, book, amount, type, source, created_at)
select 'le_' || substr(source, strpos(source, '_') + 1) || step || side, $1,
  'lt_' || substr(source, strpos(source, '_') + 1) || least(step, 2), asset, book, amount, type, source, at
from (
  select source, step, asset, type, at, 0 as side, from_book as book, -amount as amount from moves
  union all
  select source, step, asset, type, at, 1, to_book, amount from moves) entries
order by at, source, step, side`;

/** The running balances and their snapshots, from the ledger. Inserted in reverse, so that the first asset is listed first. */
export const SEED_BALANCES = `
with ${PLANS},
sums as (
  select asset, sum(amount) filter (where book = 'available') as available,
    sum(amount) filter (where book = 'pending') as pending, sum(amount) filter (where book = 'locked') as locked,
    max(created_at) as at
  from ledger_entries where account = $1 group by asset),
rows as (
  select p.place, p.asset, round(coalesce(available, 0), p.scale) as available,
    round(coalesce(pending, 0), p.scale) as pending, round(coalesce(locked, 0), p.scale) as locked,
    least(coalesce(s.at, $3::bigint), $3::bigint) as at
  from plans p left join sums s on s.asset = p.asset)
insert into balances (account, asset, created_at, available, pending, locked,
  shown_available, shown_pending, shown_locked, shown_at)
select $1, asset, $3::bigint - 8761 * ${HOUR}::bigint, available, pending, locked, available, pending, locked, at
from rows order by place desc`;

export const SEED_CHAINS = `
with ${PLANS} insert into asset_chains (account, asset, chain) select $1, asset, chain from plans`;

export interface Seed {
  account: string;
  seed: string;
  /** End of the seeded year, in ms. */
  now: number;
  deposits: number;
  assets: number;
  /** The demo account has only what it received; any other starts with ample funds. */
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
        // Destinations of the withdrawals; without deposits there are none.
        addresses: Array.from({ length: deposits === 0 ? 0 : ADDRESSES_PER_CHAIN }, (_, n) =>
          addressFor(plan.chain, `${seed}:${n}`),
        ),
      };
    }),
  );
}

/** Fills an empty account with a year of deposits, the withdrawals that they fund, and the ledger. */
export async function seedAccount(tx: Queries, seed: Seed): Promise<void> {
  if (seed.assets === 0) return;
  const base = [seed.account, seed.seed, seed.now, plansOf(seed)];
  // JIT compiling these long statements costs more than running them.
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
    // An embedded database has no autovacuum; without statistics a page's plan would sort the whole list.
    if (many) await tx.query('analyze ledger_entries');
  }
  await tx.query(SEED_BALANCES, base);
}

const TO_REBUILD = 50_000;

/** For many rows, creating indexes afterwards costs half of updating them during the inserts. */
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
