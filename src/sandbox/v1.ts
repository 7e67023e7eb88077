import { Hono, type Context } from 'hono';

import { findBalance, listBalances } from './balances.ts';
import type { Account } from './accounts.ts';
import { readJsonObject, type JsonObject } from './body.ts';
import { createWithdrawal } from './createWithdrawal.ts';
import { listDeposits } from './deposits.ts';
import type { SandboxContext } from './context.ts';
import { idempotencyKey, once } from './idempotency.ts';
import { listLedgerEntries } from './ledgerEntries.ts';
import { createCharge, createDepositAddress, replayDelivery } from './otherOperations.ts';
import { methodNotAllowed, notFound } from './refusal.ts';
import { json, type Reply } from './reply.ts';
import type { Queries } from '#src/database/sql.ts';
import { findWithdrawal, listWithdrawals } from './withdrawals.ts';

/** One authenticated call, as its routes need it. */
export interface Call {
  account: Account;
  requestId: string;
  /** Milliseconds of the account's time. */
  now: number;
  /** Every Idempotency-Key header as it was sent. */
  keys: readonly string[];
  body: Uint8Array;
}

type Env = { Bindings: Call };
type Operation = (tx: Queries, call: Call, body: JsonObject) => Promise<Reply>;

function respond(reply: Reply, headers: Record<string, string> = {}): Response {
  const type: Record<string, string> = reply.contentType === null ? {} : { 'Content-Type': reply.contentType };
  return new Response(reply.body, { status: reply.status, headers: { ...type, ...headers } });
}

/** The whole of /v1, one line per endpoint. Refusals are thrown; the caller puts them in the envelope. */
export function v1Routes(context: SandboxContext): Hono<Env> {
  const app = new Hono<Env>();
  const { sql } = context;
  const search = (c: Context<Env>) => new URL(c.req.url).searchParams;

  const post = async (c: Context<Env>, operation: (tx: Queries) => Promise<Reply>) => {
    const { account, keys, body, requestId, now } = c.env;
    const key = idempotencyKey(keys);
    const endpoint = `POST ${c.req.path}`;
    const stored = await once(context, { account: account.id, key, endpoint, body, requestId, now }, operation);
    const replayed: Record<string, string> = stored.replayed ? { 'Idempotency-Replayed': 'true' } : {};
    return respond(stored, { 'Request-Id': stored.requestId, ...replayed });
  };
  const create = (operation: Operation) => (c: Context<Env>) =>
    post(c, (tx) => operation(tx, c.env, readJsonObject(c.env.body, c.req.header('content-type') ?? null)));

  app.get('/v1/balances', async (c) => {
    const { account, now } = c.env;
    return respond(json(200, await listBalances(sql, account.id, now, search(c))));
  });
  app.get('/v1/balances/:asset', async (c) => {
    const { account, now } = c.env;
    return respond(json(200, await findBalance(sql, account.id, now, c.req.param('asset'))));
  });
  app.get('/v1/deposits', async (c) => respond(json(200, await listDeposits(sql, c.env.account.id, search(c)))));
  app.post(
    '/v1/deposits',
    create((tx, call, body) => createDepositAddress(tx, call.account, call.now, body)),
  );
  app.get('/v1/withdrawals', async (c) => respond(json(200, await listWithdrawals(sql, c.env.account.id, search(c)))));
  app.post(
    '/v1/withdrawals',
    create((tx, call, body) => createWithdrawal(tx, call.account, call.now, body, context.kill)),
  );
  app.get('/v1/withdrawals/:id', async (c) =>
    respond(json(200, await findWithdrawal(sql, c.env.account.id, c.req.param('id')))),
  );
  app.post(
    '/v1/charges',
    create((tx, call, body) => createCharge(tx, call.account, call.now, body, new TextDecoder().decode(call.body))),
  );
  app.post('/v1/webhook-deliveries/:id/replay', (c) =>
    post(c, (tx) => {
      if (c.env.body.length > 0) readJsonObject(c.env.body, c.req.header('content-type') ?? null);
      return replayDelivery(tx, c.env.account, c.env.now, c.req.param('id'));
    }),
  );
  app.get('/v1/ledger-entries', async (c) =>
    respond(json(200, await listLedgerEntries(sql, c.env.account.id, search(c)))),
  );

  const allowed: Record<string, string> = {
    '/v1/balances': 'GET, HEAD',
    '/v1/balances/:asset': 'GET, HEAD',
    '/v1/deposits': 'GET, HEAD, POST',
    '/v1/withdrawals': 'GET, HEAD, POST',
    '/v1/withdrawals/:id': 'GET, HEAD',
    '/v1/charges': 'POST',
    '/v1/webhook-deliveries/:id/replay': 'POST',
    '/v1/ledger-entries': 'GET, HEAD',
  };
  for (const [path, methods] of Object.entries(allowed)) {
    app.all(path, (c) => {
      throw methodNotAllowed(c.req.method, methods);
    });
  }
  app.notFound((c) => {
    throw notFound(`There is nothing at ${c.req.path}.`);
  });
  app.onError((error) => {
    throw error;
  });
  return app;
}
