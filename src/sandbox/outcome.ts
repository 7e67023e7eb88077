export interface Act {
  delayMs?: number;
  /** No answer: the connection is cut. */
  drop?: true;
  /** The connection is cut after so many bytes of the body. */
  cutAt?: number;
  /** Headers (and the body up to cutAt), then silence. */
  stall?: true;
  /** Called with half of the body on its way. */
  midBody?: () => void;
}

/** An answer, and what a fault does to it: adapters turn it into acts on a socket or into a broken fetch. */
export interface Outcome {
  status: number;
  headers: [string, string][];
  body: Uint8Array | string | null;
  act?: Act;
}

export function headerOf(outcome: Outcome, name: string): string | null {
  const found = outcome.headers.find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found?.[1] ?? null;
}

export function withHeader(headers: [string, string][], name: string, value: string): [string, string][] {
  return [...withoutHeader(headers, name), [name, value]];
}

export function withoutHeader(headers: [string, string][], name: string): [string, string][] {
  return headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
}

export function textOf(body: Outcome['body']): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body ?? new Uint8Array());
}

export function bytesOf(body: Outcome['body']): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
}

/** An outcome of the sandbox's own controls. */
export function plainOutcome(status: number, body: string, wall: number, requestId: string): Outcome {
  const headers = withHeader([['Content-Type', 'application/json']], 'Request-Id', requestId);
  return { status, headers: withHeader(headers, 'Date', new Date(wall).toUTCString()), body };
}

/** What an operation answers, before Request-Id and Date are added. */
export interface Reply {
  status: number;
  /** null: no body at all. */
  body: string | null;
  contentType: string | null;
}

export function json(status: number, value: unknown): Reply {
  return { status, body: JSON.stringify(value), contentType: 'application/json' };
}
