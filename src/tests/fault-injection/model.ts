import { ASSETS, chainsOf, feeOf } from '#src/sandbox/assets.ts';
import type { Executed, Served, SimulatedService, ServiceAccount } from './service.ts';

// Contract 4.7 and a minimum of the endpoints, in memory. model.test.ts compares it with the real handler.

const DAY_MS = 24 * 60 * 60 * 1_000;
const LONGEST_KEY = 255;
const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const OPENINGS = ASSETS.map(({ asset, opening, scale }): [string, bigint] => [asset, unitsOf(opening, scale) ?? 0n]);
const NOTHING: Executed = { withdrawals: 0, deposit_addresses: 0, charges: 0, webhook_replays: 0 };
const REPLAY = /^\/v1\/webhook-deliveries\/([^/]+)\/replay$/;

type Reply = Pick<Served, 'status' | 'text' | 'contentType'>;
type Fields = Record<string, unknown>;

interface Account extends ServiceAccount {
  available: Map<string, bigint>;
  records: Map<string, { path: string; body: string; at: number; reply: Reply; requestId: string }>;
  withdrawals: { id: string; text: string }[];
  executed: Executed;
}

export function createModel(now: () => number): SimulatedService {
  const accounts = new Map<string, Account>();
  let names = 0;
  const name = (prefix: string): string => `${prefix}${(names += 1)}`;

  function post(apiKey: string, path: string, key: string | null, body: string): Served {
    const requestId = name('req_');
    const account = accounts.get(apiKey);
    const first = (reply: Reply): Served => ({ ...reply, requestId, replayed: false });
    if (account === undefined) return first(refusal(401, 'authentication_error', requestId));
    if (key === null || key === '' || key.length > LONGEST_KEY) return first(refusal(400, 'invalid_key', requestId));
    const record = account.records.get(key);
    if (record !== undefined && now() - record.at < DAY_MS) {
      const same = record.path === path && record.body === body;
      if (!same) return first(refusal(409, 'idempotency_key_reused', requestId, 'idempotency_error'));
      return { ...record.reply, requestId: record.requestId, replayed: true };
    }
    const reply = execute(account, path, body) ?? refusal(400, 'invalid_request_error', requestId);
    account.records.set(key, { path, body, at: now(), reply, requestId });
    return first(reply);
  }

  /** Null for a 400, which is stored under the key like every refusal of an operation. */
  function execute(account: Account, path: string, body: string): Reply | null {
    const delivery = REPLAY.exec(path)?.[1];
    const fields = body === '' && delivery !== undefined ? {} : objectIn(body);
    if (fields === null) return null;
    if (delivery !== undefined) return replay(account, delivery);
    const { asset, chain, amount, address } = fields;
    if (!isText(asset, 64) || !isText(chain, 64) || !chainsOf(asset).includes(chain)) return null;
    if (path === '/v1/deposits') return made(account, 'deposit_addresses', 'da_', { asset, chain });
    if (!isText(amount, 200) || !DECIMAL.test(amount) || /^[0.]*$/.test(amount)) return null;
    if (path === '/v1/charges') return made(account, 'charges', 'ch_', fields);
    return isText(address, 200) ? withdraw(account, { asset, chain, amount, address }) : null;
  }

  function withdraw(account: Account, fields: Record<'asset' | 'chain' | 'amount' | 'address', string>): Reply | null {
    const { asset, amount } = fields;
    const { scale = 0 } = ASSETS.find((plan) => plan.asset === asset) ?? {};
    const units = unitsOf(amount, scale);
    const left = account.available.get(asset) ?? 0n;
    if (units === null || units > left || units <= (unitsOf(feeOf(asset), scale) ?? 0n)) return null;
    account.available.set(asset, left - units);
    const state = { object: 'withdrawal', status: 'pending', fee: feeOf(asset), tx_hash: null };
    const reply = made(account, 'withdrawals', 'wd_', { ...fields, ...state });
    account.withdrawals.unshift({ id: `wd_${names}`, text: reply.text });
    return reply;
  }

  function replay(account: Account, delivery: string): Reply {
    if (delivery === account.pendingDelivery) return refusal(409, 'delivery_in_progress', `req_${names}`);
    if (!account.deliveries.includes(delivery)) return refusal(404, 'not_found', `req_${names}`);
    account.executed.webhook_replays += 1;
    return { status: 204, text: '', contentType: null };
  }

  function made(account: Account, book: keyof Executed, prefix: string, fields: Fields): Reply {
    account.executed[book] += 1;
    return json(201, { ...fields, id: name(prefix), created_at: Math.floor(now() / 1_000) });
  }

  function get(apiKey: string, target: string): Served {
    const requestId = name('req_');
    const account = accounts.get(apiKey);
    const served = (reply: Reply): Served => ({ ...reply, requestId, replayed: false });
    if (account === undefined) return served(refusal(401, 'authentication_error', requestId));
    const [path = ''] = target.split('?');
    if (path === '/v1/withdrawals') return served(listOf(account.withdrawals.map(({ text }) => text)));
    if (path === '/v1/balances') return served(listOf([]));
    const found = account.withdrawals.find(({ id }) => path === `/v1/withdrawals/${id}`);
    if (found === undefined) return served(refusal(404, 'not_found', requestId));
    return served({ status: 200, text: found.text, contentType: 'application/json' });
  }

  return {
    open: () => {
      const apiKey = name('sk_');
      const available = new Map(OPENINGS);
      const executed = { ...NOTHING };
      const opened = { id: apiKey, apiKey, deliveries: [name('whd_'), name('whd_')], pendingDelivery: name('whd_') };
      accounts.set(apiKey, { ...opened, available, records: new Map(), withdrawals: [], executed });
      return opened;
    },
    addKey: (opened) => {
      const apiKey = name('sk_');
      const account = accounts.get(opened.apiKey);
      if (account !== undefined) accounts.set(apiKey, account);
      return { ...opened, apiKey };
    },
    post,
    get,
    executed: ({ apiKey }) => ({ ...NOTHING, ...accounts.get(apiKey)?.executed }),
  };
}

function objectIn(body: string): Fields | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longest;
}

/** Null if it has more decimals than the asset. */
function unitsOf(amount: string, scale: number): bigint | null {
  const [whole = '', decimals = ''] = amount.split('.');
  return decimals.length > scale ? null : BigInt(whole + decimals.padEnd(scale, '0'));
}

function json(status: number, value: unknown): Reply {
  return { status, text: JSON.stringify(value), contentType: 'application/json' };
}

function listOf(texts: string[]): Reply {
  const text = `{"object":"list","data":[${texts.join(',')}],"has_more":false,"next_cursor":null}`;
  return { status: 200, text, contentType: 'application/json' };
}

function refusal(status: number, code: string, requestId: string, type = 'invalid_request_error'): Reply {
  return json(status, { error: { type, code, message: 'As the model puts it.', request_id: requestId } });
}
