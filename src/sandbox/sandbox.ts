import { type Sql, migrate } from '#src/server/database/sql.ts';
import { accountOfKey, accountClocks } from './accounts.ts';
import { v1Answers, type RequestArrival, requestList } from './answerV1.ts';
import { controlRoutes } from './controls.ts';
import { openDemo } from './demo.ts';
import { faultList } from './fault.ts';
import { type SandboxContext, killAt, type Kill } from './context.ts';
import { sweep } from './idempotency.ts';
import { newId } from './ids.ts';
import { finished, type SandboxOutcome, notFound, refused, tooLarge, unstorable } from './outcome.ts';

export type { RequestArrival } from './answerV1.ts';
export type { SandboxOutcome } from './outcome.ts';

export const BODY_LIMIT = 1_048_576;
const SWEEP_MS = 60_000;

export interface SandboxOptions {
  sql: Sql;
  now?: () => number;
  /** Opens the demo account, seeded at the first start, and keeps it active. */
  demo?: boolean;
  deposits?: number | null;
  /** SANDBOX_KILL_AT */
  killAt?: string | null | undefined;
}

export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

/** Serves the contract: turns every request into an outcome. */
export async function createSandbox(options: SandboxOptions) {
  const { sql, now = Date.now } = options;
  const context: SandboxContext = { sql, now, kill: killAt(options.killAt) };
  await createSchema(sql, context.kill);
  const demo = options.demo === true ? await openDemo(context, options.deposits ?? 5000) : null;

  const faults = faultList();
  const requests = requestList();
  const clocks = accountClocks(now);
  const answerV1 = v1Answers(context, faults, requests);
  const controls = controlRoutes(context, faults, requests, clocks);
  const running = new Set<Promise<SandboxOutcome>>();

  const sweeper = setInterval(() => {
    sweep(sql, now(), context.kill).catch((error: unknown) => console.error('sweep', error));
  }, SWEEP_MS);
  sweeper.unref();

  const answer = async (request: Request, arrival: RequestArrival): Promise<SandboxOutcome> => {
    const requestId = newId('req_');
    try {
      const body = new Uint8Array(await request.arrayBuffer());
      if (body.length > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
      const { pathname: path, href } = new URL(request.url);
      if (path.startsWith('/v1/')) return await answerV1(request, body, arrival);
      if (!path.startsWith('/sandbox/')) throw notFound(`There is nothing at ${path}.`);
      if (href.includes('%00')) throw unstorable();
      const plain = new Request(request.url, { method: request.method, headers: request.headers });
      const response = await controls.fetch(plain, { body });
      const headers: SandboxOutcome['headers'] = [['Content-Type', 'application/json']];
      return finished({ status: response.status, headers, body: await response.text() }, requestId, now());
    } catch (error) {
      return refused(error, requestId, now());
    }
  };

  return {
    handle(request: Request, arrival: RequestArrival = {}) {
      const work = answer(request, arrival);
      running.add(work);
      void work.finally(() => running.delete(work));
      return work;
    },
    /** The sandbox's own id of a key's account; null for an unknown key. */
    accountOf: async (key: string) => (await accountOfKey(sql, key))?.id ?? null,
    /** The clock of a key's account; null for an unknown key. */
    async clockOf(key: string) {
      const account = await accountOfKey(sql, key);
      return account && clocks.of(account);
    },
    demoKey: demo?.key ?? null,
    /** Stops the timers and waits for running requests; the database stays open. */
    async stop() {
      clearInterval(sweeper);
      await demo?.stop();
      await Promise.allSettled(running);
    },
  };
}

// Times are whole milliseconds of the account's clock, exact on both drivers. `seq` is the order of creation within one
// millisecond. No foreign key to accounts: its row lock would serialise an account's payments.
// Repeatable, so that it also adopts a database from before migrations. Don't change it: databases that have it get only what is
// appended to STEPS.
const TABLES = `
create table if not exists settings (name text primary key, value text not null);
create table if not exists accounts (
  id text primary key, offset_ms bigint not null default 0, lives boolean not null default false,
  arrives_at bigint, created_at bigint not null);
create table if not exists api_keys (
  key_hash text primary key, account text not null, revoked boolean not null default false);
create table if not exists asset_chains (
  account text not null, asset text not null, chain text not null, primary key (account, asset, chain));

create table if not exists balances (
  account text not null, asset text not null, seq bigint generated always as identity, created_at bigint not null,
  available numeric not null check (available >= 0),
  pending numeric not null check (pending >= 0),
  locked numeric not null check (locked >= 0),
  shown_available numeric not null, shown_pending numeric not null, shown_locked numeric not null,
  shown_at bigint not null, publish_at bigint,
  primary key (account, asset));
create index if not exists balances_page on balances (account, created_at, seq);

create table if not exists ledger_entries (
  id text primary key, seq bigint generated always as identity, account text not null, transaction_id text not null,
  asset text not null, book text not null, amount numeric not null, type text not null, source text not null,
  created_at bigint not null);
create index if not exists ledger_page on ledger_entries (account, created_at, seq)
  where book in ('available', 'pending', 'locked');
create index if not exists ledger_asset on ledger_entries (account, asset, created_at, seq)
  where book in ('available', 'pending', 'locked');
create index if not exists ledger_source on ledger_entries (source, created_at, seq);

create table if not exists deposits (
  id text primary key, seq bigint generated always as identity, account text not null, status text not null,
  asset text not null, chain text not null, received_amount numeric not null, created_at bigint not null,
  due_at bigint, due_status text);
create index if not exists deposits_page on deposits (account, created_at, seq);
create index if not exists deposits_status on deposits (account, status, created_at, seq);
create index if not exists deposits_asset on deposits (account, asset, created_at, seq);
create index if not exists deposits_asset_status on deposits (account, asset, status, created_at, seq);
create index if not exists deposits_due on deposits (account, due_at) where due_at is not null;

create table if not exists withdrawals (
  id text primary key, seq bigint generated always as identity, account text not null, status text not null,
  asset text not null, chain text not null, amount numeric not null, fee numeric not null, address text not null,
  tx_hash text, created_at bigint not null, due_at bigint, due_status text);
create index if not exists withdrawals_page on withdrawals (account, created_at, seq);
create index if not exists withdrawals_status on withdrawals (account, status, created_at, seq);
create index if not exists withdrawals_asset on withdrawals (account, asset, created_at, seq);
create index if not exists withdrawals_asset_status on withdrawals (account, asset, status, created_at, seq);
create index if not exists withdrawals_due on withdrawals (account, due_at) where due_at is not null;

create table if not exists deposit_addresses (
  id text primary key, account text not null, asset text not null, chain text not null, address text not null,
  created_at bigint not null);
create index if not exists deposit_addresses_account on deposit_addresses (account);
create table if not exists charges (
  id text primary key, account text not null, asset text not null, chain text not null, amount numeric not null,
  given text not null, created_at bigint not null);
create index if not exists charges_account on charges (account);
create table if not exists webhook_replays (
  id text primary key, account text not null, delivery text not null, created_at bigint not null);
create index if not exists webhook_replays_account on webhook_replays (account);

create table if not exists idempotency_records (
  account text not null, key text not null, endpoint text not null, body_hash text not null, created_at bigint not null,
  status integer, request_id text, content_type text, body text,
  primary key (account, key));
create index if not exists idempotency_age on idempotency_records (created_at);

create or replace function unit(hex text) returns float8 language sql immutable as
  $$ select ('x' || hex)::bit(32)::bigint / 4294967296.0::float8 $$;
create or replace function token(text) returns text language sql immutable as
  $$ select substr(translate(encode(sha256(convert_to($1, 'UTF8')), 'base64'), '+/=', 'xyz'), 1, 22) $$;
`;

const STEPS = [TABLES];

/** Creates missing tables in one transaction, so that a kill leaves nothing half done. */
export async function createSchema(sql: Sql, kill: Kill): Promise<void> {
  await migrate(sql, 'sandbox', STEPS, () => kill('starting'));
}
