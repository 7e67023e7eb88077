import { Hono, type Context } from 'hono';
import type { Queries } from '#src/server/database/sql.ts';
import {
  addKey,
  createAccount,
  findAccount,
  moveClock,
  setRevoked,
  type SandboxAccount,
  type AccountClocks,
} from './accounts.ts';
import { recordDeposit, settleDeposit, findDeposit, confirmDue } from './deposits.ts';
import { readFault, type FaultList } from './fault.ts';
import type { SandboxContext } from './context.ts';
import { sweep } from './idempotency.ts';
import { publish, swap } from './ledger.ts';
import { inFlight, ledgerReport } from './ledgerReport.ts';
import {
  invalid,
  notFound,
  refuseTheRest,
  readAmountField,
  readJsonObject,
  stringField,
  type JsonObject,
} from './outcome.ts';
import type { RequestList } from './answerV1.ts';
import { holdAccount, settle, completeDue, findWithdrawal, setWithdrawalStatus } from './withdrawals.ts';
import { seedAccount } from './seed.ts';

type Env = { Bindings: { body: Uint8Array } };

function count(body: JsonObject, name: string, most: number, absent: number): number {
  const value = body[name] ?? absent;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most) {
    throw invalid(name, `must be an integer from 0 to ${most}.`);
  }
  return value;
}

function seconds(body: JsonObject, name: string): number {
  const value = body[name];
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > 1e10) {
    throw invalid(name, 'must be a number of seconds.');
  }
  return Math.round(value * 1000);
}

const accountIn = (q: Queries, body: JsonObject) => findAccount(q, stringField(body, 'account', 100));

/** The controls under /sandbox, documented in CONTROLS.md. */
export function controlRoutes(
  context: SandboxContext,
  faults: FaultList,
  requests: RequestList,
  clocks: AccountClocks,
): Hono<Env> {
  const app = new Hono<Env>();
  const { sql } = context;
  // An empty body counts as {}: some controls have no required field.
  const bodyOf = (c: Context<Env>): JsonObject =>
    c.env.body.length === 0 ? {} : readJsonObject(c.env.body, c.req.header('content-type') ?? null);
  const accountAsked = async (c: Context<Env>): Promise<SandboxAccount> => {
    const id = c.req.query('account');
    if (id === undefined) throw invalid('account', 'is required.');
    return findAccount(sql, id);
  };
  const timeOf = (account: SandboxAccount) => context.now() + account.offsetMs;

  /** A control that moves an account's money; its balances are published immediately. */
  const moves = (
    path: string,
    move: (tx: Queries, account: SandboxAccount, body: JsonObject, id: string) => Promise<unknown>,
  ) => {
    app.post(path, async (c) => {
      const body = bodyOf(c);
      const moved = await sql.transaction(async (tx) => {
        const account = await accountIn(tx, body);
        const answer = await move(tx, account, body, c.req.param('id') ?? '');
        await publish(tx, 'all', account.id, timeOf(account));
        return answer;
      });
      return c.json(moved, 201);
    });
  };

  app.post('/sandbox/accounts', async (c) => {
    const body = bodyOf(c);
    const deposits = count(body, 'deposits', 1_000_000, 300);
    const assets = count(body, 'assets', 10_000, 7);
    if (deposits > 0 && assets === 0) throw invalid('deposits', 'need at least one asset.');
    const made = await sql.transaction(async (tx) => {
      const now = context.now();
      const { id: account, key } = await createAccount(tx, now, false);
      await seedAccount(tx, { account, seed: account, now, deposits, assets, lives: false });
      return { account, key };
    });
    return c.json(made, 201);
  });

  app.get('/sandbox/accounts/:account', async (c) => {
    const account = await findAccount(sql, c.req.param('account'));
    const flying = await inFlight(sql, account.id);
    return c.json({ account: account.id, now: Math.floor(timeOf(account) / 1000), ...flying });
  });
  app.post('/sandbox/accounts/:account/keys', async (c) => {
    bodyOf(c);
    const account = await findAccount(sql, c.req.param('account'));
    return c.json({ key: await addKey(sql, account.id) }, 201);
  });
  for (const [word, revoked] of [
    ['revoke-key', true],
    ['restore-key', false],
  ] as const) {
    app.post(`/sandbox/accounts/:account/${word}`, async (c) => {
      const key = stringField(bodyOf(c), 'key', 200);
      const account = await findAccount(sql, c.req.param('account') ?? '');
      await setRevoked(sql, account.id, key, revoked);
      return c.json({ account: account.id, revoked }, 201);
    });
  }

  app.post('/sandbox/clock', async (c) => {
    const body = bodyOf(c);
    const byMs = seconds(body, 'advance');
    const { id, offsetMs, reached, settled } = await sql.transaction(async (tx) => {
      const account = await accountIn(tx, body);
      await holdAccount(tx, account.id);
      const offsetMs = await moveClock(tx, account.id, byMs);
      const reached = context.now() + offsetMs;
      await publish(tx, 'due', account.id, reached);
      const settled = await settle(tx, { ...account, offsetMs }, reached);
      await publish(tx, 'all', account.id, reached);
      return { id: account.id, offsetMs, reached, settled };
    });
    clocks.moved(id, offsetMs, byMs);
    await sweep(sql, context.now(), context.kill);
    return c.json({ account: id, now: Math.floor(reached / 1000), fell_due: settled }, 201);
  });

  moves('/sandbox/deposits', async (tx, account, body) => {
    const asset = stringField(body, 'asset', 64);
    const chain = stringField(body, 'chain', 64);
    const amount = readAmountField(body, 'amount');
    const status = body['status'] === undefined ? 'completed' : stringField(body, 'status', 64);
    const at = body['created_at'] === undefined ? timeOf(account) : seconds(body, 'created_at');
    const due = status === 'pending' ? confirmDue(asset, at) : null;
    const id = await recordDeposit(tx, { account: account.id, asset, chain, amount, at, due });
    if (status !== 'pending') await settleDeposit(tx, id, status, at);
    return findDeposit(tx, account.id, id);
  });

  moves('/sandbox/deposits/:id', async (tx, account, body, id) => {
    const status = stringField(body, 'status', 64);
    const found = await findDeposit(tx, account.id, id);
    if (found === null) throw notFound('This account has no deposit with that id.');
    const moved = await settleDeposit(tx, found.id, status, timeOf(account));
    if (!moved) throw invalid('status', `this deposit has ended: it is ${found.status}.`);
    return findDeposit(tx, account.id, found.id);
  });

  moves('/sandbox/withdrawals/:id', async (tx, account, body, id) => {
    const status = stringField(body, 'status', 64);
    const txHash = body['tx_hash'] === undefined ? undefined : stringField(body, 'tx_hash', 200);
    const found = await findWithdrawal(tx, account.id, id);
    const at = timeOf(account);
    const due = status === 'broadcasted' ? completeDue(account, at) : null;
    const moved = await setWithdrawalStatus(tx, found.id, { status, txHash, at, due });
    if (!moved) throw invalid('status', `this withdrawal has ended: it is ${found.status}.`);
    return findWithdrawal(tx, account.id, found.id);
  });

  moves('/sandbox/swaps', async (tx, account, body) => {
    await holdAccount(tx, account.id);
    return swap(tx, account, timeOf(account), body);
  });

  app.get('/sandbox/faults', async (c) => c.json({ data: faults.armed((await accountAsked(c)).id) }));
  app.post('/sandbox/faults', async (c) => {
    const fault = readFault(bodyOf(c));
    if (fault.account !== null) await findAccount(sql, fault.account);
    return c.json({ id: faults.add(fault), fault }, 201);
  });
  app.delete('/sandbox/faults', (c) => {
    faults.clear(c.req.query('account') ?? null);
    return c.json({ cleared: true });
  });
  app.get('/sandbox/requests', async (c) => c.json({ data: requests.of((await accountAsked(c)).id) }));
  app.get('/sandbox/ledger', async (c) =>
    c.json(await ledgerReport(sql, (await accountAsked(c)).id, c.req.query('address') ?? null)),
  );

  refuseTheRest(app, (c) => `There is no such control: ${c.req.method} ${c.req.path}. CONTROLS.md lists them.`);
  return app;
}
