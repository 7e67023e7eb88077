import { Hono, type Context } from 'hono';
import type { Queries, SqlRow } from '#src/server/database/sql.ts';
import { isObject } from '#src/shared/answers.ts';
import { parseExact, stringifyExact } from '#src/shared/json/exactJson.ts';
import { BALANCE_LIST, findBalance, LEDGER_ENTRY_LIST, publishForReading } from './ledger.ts';
import type { SandboxAccount } from './accounts.ts';
import { createWithdrawal, findWithdrawal, WITHDRAWAL_LIST } from './withdrawals.ts';
import { DEPOSIT_LIST, findDeposit } from './deposits.ts';
import type { SandboxContext } from './context.ts';
import { idempotencyKey, once } from './idempotency.ts';
import {
  refuseTheRest,
  deliveryInProgress,
  notFound,
  json,
  type Reply,
  readJsonObject,
  type JsonObject,
  readAmountField,
  stringField,
} from './outcome.ts';
import { type ListSource, queryPage, unixSecondsOf } from './page.ts';
import { addressFrom, newId, randomToken, sha256OfBytes } from './ids.ts';
import { checkPair } from './assets.ts';

export interface V1Call {
  account: SandboxAccount;
  requestId: string;
  /** Milliseconds of the account's time. */
  now: number;
  /** All Idempotency-Key headers, as sent. */
  keys: readonly string[];
  body: Uint8Array;
}

type Env = { Bindings: V1Call };
type Operation = (tx: Queries, call: V1Call, body: JsonObject) => Promise<Reply>;

function respond(reply: Reply, headers: Record<string, string> = {}): Response {
  const type: Record<string, string> = reply.contentType === null ? {} : { 'Content-Type': reply.contentType };
  return new Response(reply.body, { status: reply.status, headers: { ...type, ...headers } });
}

/** All of /v1, one line per endpoint. Refusals are thrown; the caller puts them in the envelope. */
export function v1Routes(context: SandboxContext): Hono<Env> {
  const app = new Hono<Env>();
  const { sql } = context;
  const list = async <R extends SqlRow, T>(c: Context<Env>, source: ListSource<R, T>) =>
    respond(json(200, await queryPage(sql, source, c.env.account.id, new URL(c.req.url).searchParams)));

  const post = async (c: Context<Env>, operation: (tx: Queries) => Promise<Reply>) => {
    const { account, keys, body, requestId, now } = c.env;
    const key = idempotencyKey(keys);
    // Not decoded: that could produce a NUL, which the database can't store.
    const endpoint = `POST ${new URL(c.req.url).pathname}`;
    const stored = await once(context, { account: account.id, key, endpoint, body, requestId, now }, operation);
    const replayed: Record<string, string> = stored.replayed ? { 'Idempotency-Replayed': 'true' } : {};
    return respond(stored, { 'Request-Id': stored.requestId, ...replayed });
  };
  const create = (operation: Operation) => (c: Context<Env>) =>
    post(c, (tx) => operation(tx, c.env, readJsonObject(c.env.body, c.req.header('content-type') ?? null)));

  app.get('/v1/balances', async (c) => {
    await publishForReading(sql, c.env.account.id, c.env.now);
    return list(c, BALANCE_LIST);
  });
  app.get('/v1/balances/:asset', async (c) => {
    await publishForReading(sql, c.env.account.id, c.env.now);
    return respond(json(200, await findBalance(sql, c.env.account.id, c.req.param('asset'))));
  });
  app.get('/v1/deposits', (c) => list(c, DEPOSIT_LIST));
  app.post('/v1/deposits', create(createDepositAddress));
  app.get('/v1/withdrawals', (c) => list(c, WITHDRAWAL_LIST));
  app.post(
    '/v1/withdrawals',
    create((tx, call, body) => createWithdrawal(tx, call.account, call.now, body, context.kill)),
  );
  app.get('/v1/withdrawals/:id', async (c) =>
    respond(json(200, await findWithdrawal(sql, c.env.account.id, c.req.param('id')))),
  );
  app.post('/v1/charges', create(createCharge));
  app.post('/v1/webhook-deliveries/:id/replay', (c) =>
    post(c, (tx) => {
      if (c.env.body.length > 0) readJsonObject(c.env.body, c.req.header('content-type') ?? null);
      return replayDelivery(tx, c.env.account, c.env.now, c.req.param('id'));
    }),
  );
  app.get('/v1/ledger-entries', (c) => list(c, LEDGER_ENTRY_LIST));
  refuseTheRest(app, (c) => `There is nothing at ${c.req.path}.`);
  return app;
}

/** POST /v1/deposits: a new address that is valid on its chain (contract 4.6). */
async function createDepositAddress(tx: Queries, { account, now }: V1Call, body: JsonObject): Promise<Reply> {
  const asset = stringField(body, 'asset', 64);
  const chain = stringField(body, 'chain', 64);
  await checkPair(tx, account.id, asset, chain);
  const id = newId('da_');
  const address = addressFrom(chain, Buffer.from(sha256OfBytes(randomToken(32)), 'hex'));
  await tx.query(
    'insert into deposit_addresses (id, account, asset, chain, address, created_at) values ($1, $2, $3, $4, $5, $6)',
    [id, account.id, asset, chain, address, now],
  );
  return json(201, { id, object: 'deposit_address', asset, chain, address, created_at: unixSecondsOf(now) });
}

/** POST /v1/charges: other fields are returned unchanged, numbers to the digit (contract 4.6). */
async function createCharge(tx: Queries, call: V1Call, body: JsonObject): Promise<Reply> {
  const { account, now } = call;
  const text = new TextDecoder().decode(call.body);
  const asset = stringField(body, 'asset', 64);
  const chain = stringField(body, 'chain', 64);
  const amount = readAmountField(body, 'amount');
  await checkPair(tx, account.id, asset, chain);
  const id = newId('ch_');
  const own = { id, object: 'charge', status: 'pending', asset, chain, amount, created_at: unixSecondsOf(now) };
  const given = parseExact(text);
  const reply = { ...json(201, own), body: stringifyExact({ ...own, ...(isObject(given) ? given : {}), ...own }) };
  await tx.query(
    `insert into charges (id, account, asset, chain, amount, given, created_at)
     values ($1, $2, $3, $4, $5::numeric, $6, $7)`,
    [id, account.id, asset, chain, amount, text, now],
  );
  return reply;
}

/** POST /v1/webhook-deliveries/:id/replay: each deposit dep_X has the delivery whd_X. */
async function replayDelivery(tx: Queries, account: SandboxAccount, now: number, delivery: string): Promise<Reply> {
  const known = /^whd_([0-9A-Za-z]+)$/.exec(delivery)?.[1];
  const deposit = known === undefined ? null : await findDeposit(tx, account.id, `dep_${known}`);
  if (deposit === null) throw notFound('This account has no webhook delivery with that id.');
  if (deposit.status === 'pending') throw deliveryInProgress();
  await tx.query('insert into webhook_replays (id, account, delivery, created_at) values ($1, $2, $3, $4)', [
    newId('whr_'),
    account.id,
    delivery,
    now,
  ]);
  return { status: 204, body: null, contentType: null };
}
