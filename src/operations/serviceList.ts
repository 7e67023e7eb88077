import { isObject, parseJson } from '#src/api/answers.ts';
import { LIMIT_MAX, PATHS } from '#src/api/contract.ts';
import type { Attempt, Call } from '#src/api/http.ts';
import { type Destination, destinationForm } from './sameSend.ts';

/** A listed withdrawal to the destination that was asked for. */
export interface Listed {
  id: string;
  amount: string;
  status: string;
  /** Unix seconds; null when it states none. */
  createdAt: number | null;
}

/** not-offered: the service has no such list (it is not in the contract). */
export type ServiceList =
  | {
      status: 'listed';
      rows: Listed[];
      requestId: string | null;
      /** Read back to the time that was asked for, or to the list's own end. */
      complete: boolean;
      /** Unix seconds: the Date of the last page; null when it stated none. */
      date: number | null;
    }
  | { status: 'not-offered' | 'unreadable'; requestId: string | null; date: null };

const MOST_PAGES = 5;
/** The list is a second pair of eyes; nobody waits long for it. */
const TIMEOUT_MS = 10_000;

/**
 * The service's withdrawals to one destination, newest first, created at or after what `sinceBy` makes of the answer's
 * Date; all in unix seconds.
 */
export async function readServiceList(
  network: (call: Call) => Promise<Attempt>,
  account: string,
  destination: Destination,
  sinceBy: (date: number | null) => number,
): Promise<ServiceList> {
  const form = destinationForm(destination);
  const rows: Listed[] = [];
  let cursor: string | null = null;
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ limit: String(LIMIT_MAX) });
    if (cursor !== null) query.set('starting_after', cursor);
    const answer = await network({ method: 'GET', path: PATHS.withdrawals, query, account, timeoutMs: TIMEOUT_MS });
    const requestId = answer.kind === 'answer' ? answer.requestId : null;
    const list = listIn(answer);
    if (list === null) {
      const notOffered = answer.kind === 'answer' && (answer.status === 404 || answer.status === 405);
      return { status: notOffered ? 'not-offered' : 'unreadable', requestId, date: null };
    }
    const since = sinceBy(answer.kind === 'answer' ? answer.date : null);
    const items = list.data.map((item) => ({ item, row: rowOf(item, form) }));
    rows.push(...items.flatMap(({ row }) => (row !== null && isSince(row.createdAt, since) ? [row] : [])));
    const oldest = timeOf(list.data.at(-1));
    const goesOn = list.next !== null && list.next !== cursor && page < MOST_PAGES;
    const isBack = !isSince(oldest, since);
    if (!goesOn || isBack) {
      const date = answer.kind === 'answer' ? answer.date : null;
      return { status: 'listed', rows, requestId, complete: isBack || list.isEnd, date };
    }
    cursor = list.next;
  }
}

function listIn(answer: Attempt): { data: unknown[]; next: string | null; isEnd: boolean } | null {
  if (answer.kind === 'no-answer' || answer.gatewayError !== null || !answer.complete) return null;
  if (answer.status < 200 || answer.status >= 300) return null;
  const body = parseJson(answer.text);
  if (!isObject(body) || !Array.isArray(body['data'])) return null;
  const next = body['has_more'] === true ? body['next_cursor'] : null;
  return { data: body['data'], next: typeof next === 'string' ? next : null, isEnd: body['has_more'] === false };
}

function rowOf(item: unknown, form: string): Listed | null {
  if (!isObject(item)) return null;
  const { id, asset, chain, address, amount, status } = item;
  if (typeof id !== 'string' || typeof asset !== 'string') return null;
  if (typeof chain !== 'string' || typeof address !== 'string') return null;
  if (destinationForm({ asset, chain, address }) !== form) return null;
  return { id, amount: textOf(amount), status: textOf(status), createdAt: timeOf(item) };
}

function timeOf(item: unknown): number | null {
  const time = isObject(item) ? item['created_at'] : null;
  return typeof time === 'number' && Number.isFinite(time) ? time : null;
}

/** Without a time it may be recent. */
function isSince(time: number | null, since: number): boolean {
  return time === null || time >= since;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
