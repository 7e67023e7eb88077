import { API_KEY_HEADER } from '#src/shared/contract/contract.ts';
import type { RequestRecord } from '#src/web/api/requestLog.ts';
import { groupBy } from '#src/shared/groupBy.ts';

export const OUTCOMES = ['2xx', '4xx', '5xx', 'none'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The class of an attempt, null while it runs and for a status of no class. */
export function outcomeOf({ outcome, status }: RequestRecord): Outcome | null {
  if (outcome === 'running') return null;
  if (outcome !== 'answer' || status === null) return 'none';
  if (status >= 200 && status < 300) return '2xx';
  if (status >= 400 && status < 500) return '4xx';
  return status >= 500 ? '5xx' : null;
}

/** One call: a read that was tried again is several attempts. */
export type LoggedCall = ReturnType<typeof callsOf>[number];

/** The calls of a log, newest first. */
export function callsOf(records: readonly RequestRecord[]) {
  const calls = [...groupBy(records, ({ call }) => call)].flatMap(([number, attempts]) => {
    const last = attempts.at(-1);
    return last ? [{ number, attempts, last }] : [];
  });
  return calls.toReversed();
}

/** Whether a call is to the service; /session and the sandbox's controls are the gateway's own. */
export function isToService({ last }: LoggedCall): boolean {
  return last.path.startsWith('/v1/');
}

export function sameKey(calls: readonly LoggedCall[], { number, last: { key } }: LoggedCall): LoggedCall[] {
  return key === null ? [] : calls.filter((other) => other.number !== number && other.last.key === key);
}

export interface Fold {
  /** "GET /v1/deposits/:id" */
  name: string;
  calls: readonly LoggedCall[];
}

/** What a person looks for stands by itself: writes, and whatever did not go well. The rest is folded, the newest first. */
export function foldReads(calls: readonly LoggedCall[]): { telling: LoggedCall[]; folds: Fold[] } {
  const byName = groupBy(calls, (call) => (isTelling(call) ? '' : `GET ${pathPattern(call.last.path)}`));
  const folds = [...byName].flatMap(([name, calls]) => (name === '' ? [] : [{ name, calls }]));
  return { telling: byName.get('') ?? [], folds };
}

/** "/v1/deposits/:id": the path without its query, its ids replaced. */
export function pathPattern(path: string): string {
  const [bare = ''] = path.split('?');
  return bare
    .split('/')
    .map((part) => (/^(?:[a-z][a-z-]{0,30}|v\d|)$/.test(part) ? part : ':id'))
    .join('/');
}

function isTelling({ last, attempts }: LoggedCall): boolean {
  const isWell = (record: RequestRecord): boolean =>
    outcomeOf(record) === '2xx' || record.outcome === 'running' || record.outcome === 'aborted';
  return last.method !== 'GET' || !attempts.every(isWell);
}

/** The gateway's word for the embedded sandbox, whose address no page knows. */
const SANDBOX = 'sandbox';

/**
 * A read as one line for a POSIX shell: `$API_KEY` in the key's place, and `$BASE_URL` where the service's address is
 * not known. Nothing of the path can leave its quotes, and curl expands none of it.
 */
export function curlOf({ path, headers }: RequestRecord, service: string): string {
  const sent = headers.map(([name, value]) => singleQuoted(`${name}: ${value}`));
  const options = [`"${API_KEY_HEADER}: $API_KEY"`, ...sent].map((header) => `--header ${header}`);
  const url = service === SANDBOX ? `"$BASE_URL"${quotedUrl(path)}` : quotedUrl(service + path);
  return `curl --globoff --include ${options.join(' ')} --url ${url}`;
}

/** Text as one word that a shell takes as it is. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** With nothing but what may stand in a URL: a line break in the middle of a pasted line would end it. */
function quotedUrl(url: string): string {
  const encode = (letter: string) => encodeURIComponent(letter.replace(/\p{Surrogate}/u, '\uFFFD'));
  return singleQuoted(url.replace(/[^\x21-\x7e]/gu, encode));
}
