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

/** Notes one attempt; memory only, the newest 1,000, never a body. */
export function recordRequest(record: RequestRecord): void {
  records = [...records.slice(-(CAPACITY - 1)), record];
}

/** Oldest first; a new array after every change. */
export function getRequestLog(): readonly RequestRecord[] {
  return records;
}

export function clearRequestLog(): void {
  records = [];
}
