import type { LookAlike } from '#src/api/gatewayContract.ts';
import { LIMIT_MAX, PATHS } from '#src/api/contract.ts';
import { type Attempt, isObject, parseJson } from '#src/lib/answers.ts';
import { asText } from '#src/lib/text.ts';
import { timeAsCame } from '#src/lib/time.ts';

/** not-offered: the service has no such list (it is not in the contract). */
export type ServiceList =
  | {
      status: 'listed';
      /** All that was read, as they came. */
      rows: Record<string, unknown>[];
      requestId: string | null;
      /** Read back to before that time, or to the list's own end, and every row of it is an object with an id. */
      complete: boolean;
      /** Unix seconds: the Date of the first page; null when it stated none. */
      date: number | null;
    }
  | { status: 'not-offered' | 'unreadable'; requestId: string | null; date: null };

export interface ListRead {
  /** How far back to read, from the Date of the answer; all in unix seconds. */
  sinceBy: (date: number | null) => number;
  mostPages: number;
}

/** The list is a second pair of eyes; nobody waits long for it. */
const TIMEOUT_MS = 10_000;

/**
 * The service's withdrawals, page after page, newest first as the contract says of every list (2.4). No filter is
 * asked for: one that the service understood otherwise would hide what was paid.
 */
export async function readServiceList(
  read: (target: string, timeoutMs: number) => Promise<Attempt>,
  { sinceBy, mostPages }: ListRead,
): Promise<ServiceList> {
  const rows: Record<string, unknown>[] = [];
  const used = new Set<string>();
  let first: { date: number | null } | null = null;
  let isWhole = true;
  let last = Number.POSITIVE_INFINITY;
  for (;;) {
    const query = new URLSearchParams({ limit: String(LIMIT_MAX) });
    const cursor = [...used].at(-1);
    if (cursor !== undefined) query.set('starting_after', cursor);
    const answer = await read(`${PATHS.withdrawals}?${query.toString()}`, TIMEOUT_MS);
    const requestId = answer.kind === 'answer' ? answer.requestId : null;
    const list = listIn(answer);
    if (list === null) {
      const notOffered =
        cursor === undefined && answer.kind === 'answer' && (answer.status === 404 || answer.status === 405);
      return { status: notOffered ? 'not-offered' : 'unreadable', requestId, date: null };
    }
    first ??= { date: answer.kind === 'answer' ? answer.date : null };
    const since = sinceBy(first.date);
    for (const item of list.data) {
      if (!isObject(item) || typeof item['id'] !== 'string') isWhole = false;
      else rows.push(item);
    }
    // Only a list that keeps its order tells by one old row that all older ones follow.
    const times = list.data.map(createdAt);
    const isInOrder = times.every((time, index) => time !== null && time <= (times[index - 1] ?? last));
    last = isInOrder ? (times.at(-1) ?? last) : Number.NEGATIVE_INFINITY;
    const isBack = isInOrder && times.length > 0 && last < since;
    const isOver = isBack || list.next === null || used.has(list.next) || used.size + 1 >= mostPages;
    if (isOver) {
      return { status: 'listed', rows, requestId, complete: isWhole && (isBack || list.isEnd), date: first.date };
    }
    if (list.next !== null) used.add(list.next);
  }
}

export function factsOf(row: Record<string, unknown>): LookAlike {
  return {
    id: textOf(row['id']),
    amount: textOf(row['amount']),
    status: textOf(row['status']),
    createdAt: createdAt(row),
  };
}

/** Unix seconds; null when the item states none. */
export function createdAt(item: unknown): number | null {
  const time = isObject(item) ? timeAsCame(item['created_at']) : null;
  return typeof time === 'number' && Number.isFinite(time) ? time : null;
}

function listIn(answer: Attempt): { data: unknown[]; next: string | null; isEnd: boolean } | null {
  if (answer.kind === 'no-answer' || !answer.complete) return null;
  if (answer.status < 200 || answer.status >= 300) return null;
  const body = parseJson(answer.text);
  if (!isObject(body) || !Array.isArray(body['data'])) return null;
  const next = body['has_more'] === true ? body['next_cursor'] : null;
  return { data: body['data'], next: typeof next === 'string' ? next : null, isEnd: body['has_more'] === false };
}

function textOf(value: unknown): string {
  return asText(value ?? null);
}

type DateRead = { date: number } | { reason: string };

const REASONS: Record<string, string> = {
  timeout: 'The payments service did not respond in time.',
  redirect: 'Something else responded in place of the payments service.',
};

/**
 * The service's own clock (unix seconds), from the Date of a read made now. A reason instead when it does not answer
 * as itself: somebody else's page (a hotel's, a proxy's) has somebody else's clock.
 */
export async function askServiceDate(read: (target: string) => Promise<Attempt>): Promise<DateRead> {
  const answer = await read(`${PATHS.balances}?limit=1`);
  if (answer.kind === 'no-answer') {
    return { reason: REASONS[answer.reason] ?? 'The payments service cannot be reached.' };
  }
  if (answer.status === 401 || answer.status === 403) {
    return { reason: 'The payments service does not accept the API key.' };
  }
  if (answer.status < 200 || answer.status >= 300) {
    return { reason: `The payments service responded ${answer.status} when it was asked for its time.` };
  }
  const body = answer.complete ? parseJson(answer.text) : undefined;
  if (!isObject(body) || !Array.isArray(body['data'])) {
    return { reason: 'What responded is not the payments service, or the response was cut short.' };
  }
  if (answer.date === null) return { reason: 'The payments service states no time, so nothing can be sent safely.' };
  return { date: answer.date };
}
