import type { TestAmount } from './amounts.ts';

/** One answer as received: none of our own code has parsed or repaired it. */
export interface HttpAnswer {
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
  amount: TestAmount;
  received_amount: TestAmount;
  created_at: number;
}

/** The list envelope of 2.4, as it came. */
export interface HttpPage<T = Item> {
  object: string;
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface Client {
  key: string;
  get(path: string, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Sends a string body as these very bytes, anything else as JSON; the key is omitted when undefined. */
  post(path: string, body: unknown, idempotencyKey?: string, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** A list's page; throws when it is not a 200. */
  page<T = Item>(path: string): Promise<HttpPage<T>>;
}

/** Sends one request, on a connection of its own, and reads the answer to its end. */
export async function sendTo(baseUrl: string, path: string, init: RequestInit): Promise<HttpAnswer> {
  const headers = new Headers(init.headers);
  // A server closes idle connections after five seconds, which a request on a busy machine may run into.
  headers.set('connection', 'close');
  const response = await fetch(baseUrl + path, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** A client of one account of the service at this address. */
export function clientAt(baseUrl: string, key: string): Client {
  const send = (path: string, init: RequestInit): Promise<HttpAnswer> => sendTo(baseUrl, path, init);
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
      return bodyOf<HttpPage<T>>(answer);
    },
  };
}

/** The body as the shape that a test reads next; one of another shape fails there. Throws when it is not JSON. */
export function bodyOf<T>(answer: Pick<HttpAnswer, 'text'>): T {
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
