import { Hono, type Context } from 'hono';
import type { Queries, Row } from '#src/database/sql.ts';
import { BALANCES, findBalance, LEDGER_ENTRIES, publishForReading } from './ledger.ts';
import type { Account } from './accounts.ts';
import { readJsonObject, type JsonObject } from './body.ts';
import { createWithdrawal, findWithdrawal, WITHDRAWALS } from './withdrawals.ts';
import { DEPOSITS } from './deposits.ts';
import type { SandboxContext } from './context.ts';
import { idempotencyKey, once } from './idempotency.ts';
import { createCharge, createDepositAddress, replayDelivery } from './otherOperations.ts';
import { refuseTheRest } from './refusal.ts';
import { json, type Reply } from './outcome.ts';
import { type ListSource, readPage } from './page.ts';

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
  const list = async <R extends Row, T>(c: Context<Env>, source: ListSource<R, T>) =>
    respond(json(200, await readPage(sql, source, c.env.account.id, new URL(c.req.url).searchParams)));

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
    await publishForReading(sql, c.env.account.id, c.env.now);
    return list(c, BALANCES);
  });
  app.get('/v1/balances/:asset', async (c) => {
    await publishForReading(sql, c.env.account.id, c.env.now);
    return respond(json(200, await findBalance(sql, c.env.account.id, c.req.param('asset'))));
  });
  app.get('/v1/deposits', (c) => list(c, DEPOSITS));
  app.post(
    '/v1/deposits',
    create((tx, call, body) => createDepositAddress(tx, call.account, call.now, body)),
  );
  app.get('/v1/withdrawals', (c) => list(c, WITHDRAWALS));
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
  app.get('/v1/ledger-entries', (c) => list(c, LEDGER_ENTRIES));
  refuseTheRest(app, (c) => `There is nothing at ${c.req.path}.`);
  return app;
}
