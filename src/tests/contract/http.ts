import type { Amount } from './amounts.ts';

/** One response, parsed without any code under test. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when it is not JSON. */
  json: unknown;
}

/** A list's record as received. */
export interface Item {
  id: string;
  object: string;
  status: string;
  asset: string;
  chain: string;
  amount: Amount;
  received_amount: Amount;
  created_at: number;
}

/** The list envelope of 2.4 as received. */
export interface Page<T = Item> {
  object: string;
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface Client {
  key: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a string body unchanged, anything else as JSON; the key is omitted if undefined. */
  post(path: string, body: unknown, idempotencyKey?: string, headers?: Record<string, string>): Promise<Answer>;
  /** A list's page; throws unless the status is 200. */
  page<T = Item>(path: string): Promise<Page<T>>;
}

/** Sends one request on a new connection, and reads the complete response. */
export async function sendTo(baseUrl: string, path: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  // A server closes idle connections after five seconds, which a request on a busy machine may run into.
  headers.set('connection', 'close');
  const response = await fetch(baseUrl + path, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** A client of one account of the service at this address. */
export function clientAt(baseUrl: string, key: string): Client {
  const send = (path: string, init: RequestInit): Promise<Answer> => sendTo(baseUrl, path, init);
  const get: Client['get'] = (path, headers) => send(path, { headers: { 'x-api-key': key, ...headers } });
  return {
    key,
    get,
    post: (path, body, idempotencyKey, headers) =>
      send(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...headers,
        },
      }),
    page: async <T>(path: string) => {
      const answer = await get(path);
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
      return bodyOf<Page<T>>(answer);
    },
  };
}

/** The body as the type that the test expects, unchecked. Throws if it isn't JSON. */
export function bodyOf<T>(answer: Pick<Answer, 'text'>): T {
  const body: T = JSON.parse(answer.text);
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
