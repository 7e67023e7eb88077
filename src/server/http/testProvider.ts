// Test support: a payments provider whose accounts may have several API keys, as the contract describes it.
import { fakeService } from './testGateway.ts';

export interface TestProvider {
  url: string;
  /** The account of each valid key. */
  keys: Map<string, string>;
  /** The paths of reads with this key, since the start. */
  readsOf: (key: string) => string[];
  /** POSTs of withdrawals with this key, since the start. */
  sentWith: (key: string) => number;
  /** Overrides the status of reads by id. */
  readStatus: number | null;
  /** Replaces fields in reads by id. */
  change: object;
}

interface Withdrawal {
  account: string;
  object: Record<string, unknown>;
}

let providers = 0;

export async function startTestProvider(): Promise<TestProvider> {
  const withdrawals = new Map<string, Withdrawal>();
  const keys = new Map<string, string>();
  const prefix = `wd_${(providers += 1)}`;
  const { url, seen } = await fakeService((req, res, body) => {
    const answer = (status: number, value: object) => {
      res.writeHead(status, { 'Content-Type': 'application/json', Date: new Date().toUTCString() });
      res.end(JSON.stringify(value));
    };
    const refuse = (status: number, code: string) =>
      answer(status, { error: { type: 't', code, message: 'No.', request_id: 'req_1' } });
    const account = keys.get(String(req.headers['x-api-key']));
    if (account === undefined) return refuse(401, 'authentication_error');
    const id = /^\/v1\/withdrawals\/(wd_\w+)$/.exec(req.url ?? '')?.[1];
    if (id !== undefined) {
      if (provider.readStatus !== null) return refuse(provider.readStatus, 'failed');
      const found = withdrawals.get(id);
      return found?.account === account
        ? answer(200, { ...found.object, ...provider.change })
        : refuse(404, 'not_found');
    }
    if (req.method !== 'POST') return answer(200, { object: 'list', data: [], has_more: false, next_cursor: null });
    const made = `${prefix}_${withdrawals.size + 1}`;
    const object = { ...JSON.parse(body), object: 'withdrawal', id: made, status: 'pending' };
    withdrawals.set(made, { account, object });
    return answer(201, object);
  });
  const of = (key: string) => seen.filter(({ headers }) => headers['x-api-key'] === key);
  const provider: TestProvider = {
    url,
    keys,
    readsOf: (key) => of(key).flatMap(({ method, url: path }) => (method === 'GET' ? [path] : [])),
    sentWith: (key) => of(key).filter(({ method }) => method === 'POST').length,
    readStatus: null,
    change: {},
  };
  return provider;
}
