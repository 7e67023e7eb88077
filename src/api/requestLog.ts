export interface RequestRecord {
  /** Unix milliseconds by this device's clock. */
  at: number;
  method: string;
  path: string;
  /** Null where there was no answer. */
  status: number | null;
  ms: number;
  requestId: string | null;
  key: string | null;
  replayed: boolean;
  attempt: string;
}

const CAPACITY = 1000;
let records: readonly RequestRecord[] = [];
const listeners = new Set<() => void>();

function set(next: readonly RequestRecord[]): void {
  records = next;
  for (const listener of listeners) listener();
}

/** Notes one attempt; memory only, the newest 1,000, never a body. */
export function recordRequest(record: RequestRecord): void {
  set([...records.slice(-(CAPACITY - 1)), record]);
}

/** Oldest first; a new array after every change. */
export function getRequestLog(): readonly RequestRecord[] {
  return records;
}

export function subscribeRequestLog(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function clearRequestLog(): void {
  if (records.length > 0) set([]);
}
