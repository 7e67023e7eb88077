import {
  API_KEY_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_REPLAYED_HEADER,
  REQUEST_ID_HEADER,
} from '#src/shared/contract/contract.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { headerOf, type SandboxOutcome, bodyText } from '#src/sandbox/outcome.ts';
import { createSandbox } from '#src/sandbox/sandbox.ts';
import type { Executed, Served, SimulatedService } from './service.ts';

export interface RealService extends SimulatedService {
  /** Sets the service's clock, in milliseconds. */
  live: (now: () => number) => void;
  stop: () => Promise<void>;
}

/** The sandbox's own handler on PGlite in memory, without a socket. */
export async function openRealService(): Promise<RealService> {
  let clock = (): number => Date.now();
  const sql = await openDatabase({ directory: 'memory' });
  const sandbox = await createSandbox({ sql, now: () => clock() });

  async function send(
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<SandboxOutcome> {
    const init = { method, headers: { 'Content-Type': 'application/json', ...headers } };
    return sandbox.handle(new Request(`http://sandbox${target}`, body === undefined ? init : { ...init, body }));
  }

  async function control<T>(target: string, body: object | null): Promise<T> {
    const outcome =
      body === null ? await send('GET', target, {}) : await send('POST', target, {}, JSON.stringify(body));
    if (outcome.status >= 300) throw new Error(`${target}: ${outcome.status} ${bodyText(outcome.body)}`);
    const answered: T = JSON.parse(bodyText(outcome.body));
    return answered;
  }

  async function deliveryOf(account: string, status: 'completed' | 'pending'): Promise<string> {
    const deposit = { account, asset: 'LTC', chain: 'litecoin', amount: '1', status };
    const { id } = await control<{ id: string }>('/sandbox/deposits', deposit);
    return id.replace(/^dep_/, 'whd_');
  }

  return {
    live: (now) => {
      clock = now;
    },
    open: async (withDeliveries) => {
      const { account, key } = await control<{ account: string; key: string }>('/sandbox/accounts', { deposits: 0 });
      if (!withDeliveries) return { id: account, apiKey: key, deliveries: [], pendingDelivery: '' };
      const deliveries = [await deliveryOf(account, 'completed'), await deliveryOf(account, 'completed')];
      return { id: account, apiKey: key, deliveries, pendingDelivery: await deliveryOf(account, 'pending') };
    },
    addKey: async (opened) => {
      const { key } = await control<{ key: string }>(`/sandbox/accounts/${opened.id}/keys`, {});
      return { ...opened, apiKey: key };
    },
    post: async (apiKey, path, key, body) => {
      const named: Record<string, string> = key === null ? {} : { [IDEMPOTENCY_KEY_HEADER]: key };
      return servedBy(await send('POST', path, { [API_KEY_HEADER]: apiKey, ...named }, body));
    },
    get: async (apiKey, target) => servedBy(await send('GET', target, { [API_KEY_HEADER]: apiKey })),
    executed: async ({ id }) => {
      const target = `/sandbox/ledger?account=${id}`;
      return (await control<{ executed: Executed }>(target, null)).executed;
    },
    stop: async () => {
      await sandbox.stop();
      await sql.close();
    },
  };
}

function servedBy(outcome: SandboxOutcome): Served {
  return {
    status: outcome.status,
    requestId: headerOf(outcome, REQUEST_ID_HEADER) ?? '',
    replayed: headerOf(outcome, IDEMPOTENCY_REPLAYED_HEADER) === 'true',
    contentType: headerOf(outcome, 'Content-Type'),
    text: bodyText(outcome.body),
  };
}
