import { systemErrorCode, systemErrorMessage } from '#src/server/database/sql.ts';

/** LOG: lines for people, or one JSON object a line for a log collector. */
export type LogFormat = 'text' | 'json';

let format: LogFormat = 'text';

/** For the whole process, before it starts. */
export function setLogFormat(chosen: LogFormat): void {
  format = chosen;
}

/** One log line, without body or key. */
export function log(what: string, error: unknown): void {
  logLine(`${what}: ${systemErrorCode(error) || systemErrorMessage(error)}`);
}

export function logLine(text: string): void {
  console.error(format === 'json' ? jsonLine({ message: text }) : `${new Date().toISOString()} ${text}`);
}

/** An error of this program, with where it came from. A database's error may hold what it was asked to store: that is left out. */
export function logError(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  console.error(format === 'json' ? jsonLine({ message: text }) : text);
}

/** A line of the start, for the person who runs the server. */
export function printLine(text: string): void {
  console.log(format === 'json' ? jsonLine({ message: text }) : text);
}

/** An answered request, without query string, body and cookies. */
export interface RequestFacts {
  method: string;
  /** A pattern such as /api/operations/:key, so that no id is in it. */
  route: string;
  status: number;
  seconds: number;
  /** The response's Request-Id; null if it has none. */
  id: string | null;
  /** The signed-in person's id; null without a session and in key mode. */
  person: string | null;
}

/** One line for each request, if the log is for a collector. */
export function logRequest({ method, route, status, seconds, id, person }: RequestFacts): void {
  if (format !== 'json') return;
  const ms = Math.round(seconds * 1_000);
  console.log(jsonLine({ id, person, method, route, status, ms }));
}

function jsonLine(members: Record<string, unknown>): string {
  return JSON.stringify({ time: new Date().toISOString(), ...members });
}
