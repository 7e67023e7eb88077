import type { RequestRecord } from '#src/web/api/requestLog.ts';
import { groupBy } from '#src/shared/groupBy.ts';

export const OUTCOMES = ['2xx', '4xx', '5xx', 'none'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The class of an attempt’s status; null while it runs and for a status outside all classes. */
export function outcomeClass({ outcome, status }: RequestRecord): Outcome | null {
  if (outcome === 'running') return null;
  if (outcome !== 'answer' || status === null) return 'none';
  if (status >= 200 && status < 300) return '2xx';
  if (status >= 400 && status < 500) return '4xx';
  return status >= 500 ? '5xx' : null;
}

/** One call with its attempts; a retried read has several. */
export type LoggedCall = ReturnType<typeof callsOf>[number];

/** The log’s calls, newest first. */
export function callsOf(records: readonly RequestRecord[]) {
  const calls = [...groupBy(records, ({ call }) => call)].flatMap(([number, attempts]) => {
    const last = attempts.at(-1);
    return last ? [{ number, attempts, last }] : [];
  });
  return calls.toReversed();
}

/** Whether a call goes on to the provider; /session and the sandbox’s controls are the gateway’s own. */
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

/** Writes and failures are listed one by one; successful reads are grouped by path. All newest first. */
export function foldReads(calls: readonly LoggedCall[]): { notable: LoggedCall[]; folds: Fold[] } {
  const byName = groupBy(calls, (call) => (isNotable(call) ? '' : `GET ${pathPattern(call.last.path)}`));
  const folds = [...byName].flatMap(([name, calls]) => (name === '' ? [] : [{ name, calls }]));
  return { notable: byName.get('') ?? [], folds };
}

/** "/v1/deposits/:id": the path without its query, its ids replaced. */
export function pathPattern(path: string): string {
  const [bare = ''] = path.split('?');
  return bare
    .split('/')
    .map((part) => (/^(?:[a-z][a-z-]{0,30}|v\d|)$/.test(part) ? part : ':id'))
    .join('/');
}

function isNotable({ last, attempts }: LoggedCall): boolean {
  const isFine = (record: RequestRecord): boolean =>
    outcomeClass(record) === '2xx' || record.outcome === 'running' || record.outcome === 'aborted';
  return last.method !== 'GET' || !attempts.every(isFine);
}
