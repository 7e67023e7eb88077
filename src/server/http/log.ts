import { systemErrorCode, systemErrorMessage } from '#src/server/database/sql.ts';

/** The setting LOG: lines for people, or one JSON object per line for a log collector. */
export type LogFormat = 'text' | 'json';

let format: LogFormat = 'text';

/** Sets the format for the whole process. Call it before anything is logged. */
export function setLogFormat(chosen: LogFormat): void {
  format = chosen;
}

/** Logs one line with the error's code or message, never a request's body or key. */
export function log(what: string, error: unknown): void {
  logLine(`${what}: ${systemErrorCode(error) || systemErrorMessage(error)}`);
}

export function logLine(text: string): void {
  console.error(format === 'json' ? jsonLine({ message: text }) : `${new Date().toISOString()} ${text}`);
}

/** Logs a bug in this program, with its stack. Only the stack: a database error's other fields may contain stored data. */
export function logError(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  console.error(format === 'json' ? jsonLine({ message: text }) : text);
}

/** Prints a startup line, for the person who runs the server. */
export function printLine(text: string): void {
  console.log(format === 'json' ? jsonLine({ message: text }) : text);
}

/** An answered request, without query string, body and cookies. */
export interface RequestFacts {
  method: string;
  /** A pattern such as /api/operations/:key, so that it contains no ids. */
  route: string;
  status: number;
  seconds: number;
  /** The response's Request-Id; null if it has none. */
  id: string | null;
  /** The signed-in person's id; null without a session and in key mode. */
  person: string | null;
}

/** Logs one line per request, if the log is in JSON. */
export function logRequest({ method, route, status, seconds, id, person }: RequestFacts): void {
  if (format !== 'json') return;
  const ms = Math.round(seconds * 1_000);
  console.log(jsonLine({ id, person, method, route, status, ms }));
}

function jsonLine(members: Record<string, unknown>): string {
  return JSON.stringify({ time: new Date().toISOString(), ...members });
}
