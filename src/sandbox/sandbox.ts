import type { Sql } from '#src/database/sql.ts';
import { accountOfKey, accountClocks, type AccountClock } from './accounts.ts';
import { refused, v1Answers, type Arrival, requestList } from './answerV1.ts';
import { controlRoutes } from './controls.ts';
import { openDemo } from './demo.ts';
import { faultList } from './fault.ts';
import { type SandboxContext, wait, killAt } from './context.ts';
import { sweep } from './idempotency.ts';
import { newId } from './ids.ts';
import { plainOutcome, type Outcome } from './outcome.ts';
import { notFound, tooLarge } from './refusal.ts';
import { createSchema } from './schema.ts';

export type { Arrival } from './answerV1.ts';
export type { Outcome } from './outcome.ts';

export const BODY_LIMIT = 1_048_576;
const SWEEP_MS = 60_000;

export interface SandboxOptions {
  sql: Sql;
  /** The wall clock in milliseconds. */
  now?: () => number;
  /** Opens the demo account, seeded at the first start, and lets it live. */
  demo?: boolean;
  deposits?: number;
  /** SANDBOX_KILL_AT */
  killAt?: string;
}

export interface Sandbox {
  handle(request: Request, arrival?: Arrival): Promise<Outcome>;
  /** The account that a key opens, by the sandbox's own id; null when it opens none. */
  accountOf(key: string): Promise<string | null>;
  /** The clock of the account that a key opens; null when it opens none. */
  clockOf(key: string): Promise<AccountClock | null>;
  /** null without a demo account. */
  readonly demoKey: string | null;
  readonly demoAccount: string | null;
  /** Ends the timers and lets running requests finish; the database stays open. */
  stop(): Promise<void>;
}

/** The contract, served: every request becomes an outcome. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { sql, now = Date.now } = options;
  const context: SandboxContext = { sql, now, kill: killAt(options.killAt), wait };
  await createSchema(sql, context.kill);
  const demo = options.demo === true ? await openDemo(context, options.deposits ?? 5000) : null;

  const faults = faultList();
  const requests = requestList();
  const clocks = accountClocks(now);
  const answerV1 = v1Answers(context, faults, requests);
  const controls = controlRoutes(context, faults, requests, clocks);
  const running = new Set<Promise<Outcome>>();

  const sweeper = setInterval(() => {
    sweep(sql, now(), context.kill).catch((error: unknown) => console.error('sweep', error));
  }, SWEEP_MS);
  sweeper.unref();

  const answer = async (request: Request, arrival: Arrival): Promise<Outcome> => {
    const requestId = newId('req_');
    try {
      const body = new Uint8Array(await request.arrayBuffer());
      if (body.length > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
      const path = new URL(request.url).pathname;
      if (path.startsWith('/v1/')) return await answerV1(request, body, arrival);
      if (!path.startsWith('/sandbox/')) throw notFound(`There is nothing at ${path}.`);
      const plain = new Request(request.url, { method: request.method, headers: request.headers });
      const response = await controls.fetch(plain, { body });
      return plainOutcome(response.status, await response.text(), now(), requestId);
    } catch (error) {
      const { status, body, headers } = refused(error, requestId);
      const outcome = plainOutcome(status, typeof body === 'string' ? body : '', now(), requestId);
      return { ...outcome, headers: [...outcome.headers, ...headers.filter(([name]) => name === 'Allow')] };
    }
  };

  return {
    handle(request, arrival = {}) {
      const work = answer(request, arrival);
      running.add(work);
      void work.finally(() => running.delete(work));
      return work;
    },
    accountOf: async (key) => (await accountOfKey(sql, key))?.id ?? null,
    async clockOf(key) {
      const account = await accountOfKey(sql, key);
      return account && clocks.of(account);
    },
    demoKey: demo?.key ?? null,
    demoAccount: demo?.account ?? null,
    async stop() {
      clearInterval(sweeper);
      await demo?.stop();
      await Promise.allSettled(running);
    },
  };
}
