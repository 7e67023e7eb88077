import type { Fault } from './fault.ts';

const PER_ACCOUNT = 2000;

/** One request as it arrived; GET /sandbox/requests shows it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  query: string;
  attempt: string | null;
  idempotency_key: string | null;
  body: string | null;
  /** Milliseconds of the wall clock. */
  at: number;
  /** null until it is answered, or when it never is. */
  status: number | null;
  request_id: string;
  replayed: boolean;
  fault: Fault | null;
}

export interface RequestList {
  add(account: string, request: ReceivedRequest): void;
  of(account: string): readonly ReceivedRequest[];
}

/** The last requests of each account, in memory, in the order of their arrival. */
export function requestList(): RequestList {
  const lists = new Map<string, ReceivedRequest[]>();
  return {
    add(account, request) {
      const list = lists.get(account) ?? [];
      lists.set(account, list);
      list.push(request);
      if (list.length > PER_ACCOUNT) list.shift();
    },
    of: (account) => lists.get(account) ?? [],
  };
}
