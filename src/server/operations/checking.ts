import { isNotFound, PATHS, LIMIT_MAX } from '#src/shared/contract/contract.ts';
import type { CheckNote, LookAlike } from '#src/shared/contract/gatewayContract.ts';
import { compareWithSent, mayBeSame } from '#src/shared/operations/compare.ts';
import { COMPARED } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type Clocks, type OperationRecord, knownResultId } from '#src/shared/operations/record.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { type NextStep, type PageEnd, pageEnd } from '#src/shared/paging/nextStep.ts';
import { isIdParameter } from '#src/shared/paths.ts';
import type { Journal } from './journal.ts';
import type { Ports, Sender } from './ports.ts';
import { rowsByDestination } from './rowsByDestination.ts';
import { type AttemptResult, isObject, isWebPage, parseJson, readEnvelope } from '#src/shared/answers.ts';
import { textOrJson } from '#src/shared/text.ts';
import { timeAsCame } from '#src/shared/time.ts';

/** Pages to read when searching for look-alikes. */
const SOME_PAGES = 5;
/** Pages to read for a proof of absence: 20,000 withdrawals. */
const ALL_PAGES = 200;
const DAY_SECONDS = 24 * 60 * 60;
const MOST_NOTES = 20;
/** Number of recently checked operations whose notes are kept. */
export const MOST_CHECKED = 500;
const MOST_KEPT = 64 * 1024;

/** A withdrawal found by an id from a 2xx under the key is proof; a look-alike in a list is not. */
export function createChecking(ports: Ports, journal: Journal) {
  const { service, rows } = ports;
  const notes = new Map<string, CheckNote[]>();
  const underWay = new Map<string, Promise<CheckNote>>();

  function remember(key: string, note: CheckNote): void {
    const before = notes.get(key) ?? [];
    if (before.includes(note)) return;
    notes.delete(key);
    notes.set(key, [...before, note].slice(-MOST_NOTES));
    for (const oldest of [...notes.keys()].slice(0, -MOST_CHECKED)) notes.delete(oldest);
  }

  async function checkById(actor: Sender, record: OperationRecord, id: string): Promise<CheckNote> {
    const path = withdrawalPath(id);
    const answer = path === null ? null : await service.read(actor.apiKey, path);
    const none = { at: actor.clock.wall(), lookAlikes: null, complete: false };
    if (answer === null || answer.kind === 'no-answer')
      return { ...none, requestId: null, date: null, found: 'unreadable' };
    const { requestId, date, status, text, complete } = answer;
    const note = { ...none, requestId, date: status === 200 ? date : null };
    if (saysNotFound(answer)) return { ...note, found: 'nothing' };
    // A longer response isn't stored, so it can't serve as proof.
    if (status !== 200 || !complete || Buffer.byteLength(text) > MOST_KEPT) return { ...note, found: 'unreadable' };
    await journal.advance(actor, record.key, { type: 'checked', object: { id, text, requestId, date }, taken: false });
    const now = await journal.find(actor, record.key);
    if (now.kind !== 'record') return { ...note, found: 'nothing' };
    if (now.record.state === 'succeeded') return { ...note, found: 'succeeded' };
    return { ...note, found: now.record.reason === 'mismatch' ? 'mismatch' : 'nothing' };
  }

  /** Reads the list back to a day before the first send of each operation by any of our clocks: created_at may be by another one. */
  function readListBack(
    { apiKey }: Sender,
    records: readonly OperationRecord[],
    mostPages: number,
  ): Promise<ServiceList> {
    const since = Math.min(...records.map(({ firstSent }) => earliest(firstSent))) - DAY_SECONDS;
    const read = (target: string, timeoutMs: number) => service.read(apiKey, target, timeoutMs);
    return readServiceList(read, { sinceBy: () => since, mostPages });
  }

  async function checkByList(actor: Sender, record: OperationRecord, mostPages: number): Promise<CheckNote> {
    const list = await readListBack(actor, [record], mostPages);
    return {
      at: actor.clock.wall(),
      found: list.status === 'unreadable' ? 'unreadable' : 'nothing',
      lookAlikes: list.status === 'listed' ? await lookAlikesOf(record, rowsByDestination(list.rows)) : null,
      requestId: list.requestId,
      complete: list.status === 'listed' && list.complete,
      date: list.date,
    };
  }

  /** Rows of the list that may be the operation's withdrawal and belong to no other one. Null without a readable body. */
  async function lookAlikesOf(
    record: OperationRecord,
    rowsTo: ReturnType<typeof rowsByDestination>,
  ): Promise<LookAlike[] | null> {
    const sent = readWithdrawalBody(record.body);
    if (sent === null) return null;
    const alike = rowsTo(sent).filter((row) => mayBeSame(sent, row));
    const free: LookAlike[] = [];
    for (const facts of alike.map(lookAlikeOf)) {
      const holder = await rows.keyOfResult(record.service, facts.id);
      if (holder === null || holder === record.key) free.push(facts);
    }
    return free;
  }

  return {
    notesOf: (key: string) => notes.get(key) ?? [],
    /**
     * The keys of those operations that nothing in the service's list looks like. Reads it once, now, as far as absence needs;
     * null if it isn't complete.
     */
    keysWithoutLookAlike: async (
      actor: Sender,
      records: readonly OperationRecord[],
    ): Promise<ReadonlySet<string> | null> => {
      const list = await readListBack(actor, records, ALL_PAGES);
      if (list.status !== 'listed' || !list.complete) return null;
      const rowsTo = rowsByDestination(list.rows);
      const keys = new Set<string>();
      for (const record of records) if ((await lookAlikesOf(record, rowsTo))?.length === 0) keys.add(record.key);
      return keys;
    },
    /** Reads only. `whole`: reads as far as absence needs. Returns null if there is nothing to read. */
    check: async (actor: Sender, record: OperationRecord, whole = false): Promise<CheckNote | null> => {
      if (record.state !== 'unconfirmed' && record.state !== 'succeeded') return null;
      if (!KIND[record.kind].isCompared) return null;
      const name = `${record.key} ${whole}`;
      const known = knownResultId(record);
      const checking =
        underWay.get(name) ??
        (known === null
          ? checkByList(actor, record, whole ? ALL_PAGES : SOME_PAGES)
          : checkById(actor, record, known)
        ).finally(() => underWay.delete(name));
      underWay.set(name, checking);
      const note = await checking;
      remember(record.key, note);
      return note;
    },
  };
}

/** The path of a withdrawal at the service; null if the id could lead to another path. */
export function withdrawalPath(id: string): string | null {
  return isIdParameter(id) ? `${PATHS.withdrawals}/${encodeURIComponent(id)}` : null;
}

/** True if the response shows this withdrawal: every field as sent, or as in the contradicting response. */
export function showsWithdrawal(answer: AttemptResult, record: OperationRecord, id: string): boolean {
  const isWhole = answer.kind === 'answer' && answer.status === 200 && answer.complete;
  const object = isWhole ? parseJson(answer.text) : undefined;
  const sent = readWithdrawalBody(record.body);
  if (!isObject(object) || object['id'] !== id || sent === null) return false;
  if (compareWithSent(sent, object).differing.length === 0) return true;
  const contradiction = record.contradiction ? parseJson(record.contradiction.text) : undefined;
  return isObject(contradiction) && COMPARED.every((field) => contradiction[field] === object[field]);
}

function earliest({ service, server, database }: Clocks): number {
  return Math.min(service, Math.floor(server / 1_000), Math.floor(database / 1_000));
}

/** not-offered: the service doesn't have this list, which isn't in the contract. */
export type ServiceList =
  | {
      status: 'listed';
      rows: Record<string, unknown>[];
      requestId: string | null;
      /** True if the list was read back past that time or to its end, and every row is an object with an id. */
      complete: boolean;
      /** Date of the first page, Unix seconds; null if missing. */
      date: number | null;
    }
  | { status: 'not-offered' | 'unreadable'; requestId: string | null; date: null };

interface ListRead {
  /** How far back to read, from the Date of the answer; all in unix seconds. */
  sinceBy: (date: number | null) => number;
  /** Empty pages aren't counted: at most EMPTY_PAGES_MAX in a row are followed. */
  mostPages: number;
}

/** The list is an additional check, so the timeout is short. */
const TIMEOUT_MS = 10_000;

/**
 * The service's withdrawals, newest first as in every list of the contract (2.4). Read without filters, because a filter
 * that the service interprets differently would hide payments.
 */
export async function readServiceList(
  read: (target: string, timeoutMs: number) => Promise<AttemptResult>,
  { sinceBy, mostPages }: ListRead,
): Promise<ServiceList> {
  const rows: Record<string, unknown>[] = [];
  const order = createOrderCheck();
  let fullPages = 0;
  let firstDate: number | null = null;
  let requestId: string | null = null;
  let pagesRead = 0;
  let isWhole = true;
  let isBack = false;
  let saysEnd = false;
  const onPage = (page: ListPage, { step, repeatsItems }: { step: NextStep; repeatsItems: boolean }) => {
    if (pagesRead === 0) firstDate = page.date;
    pagesRead += 1;
    requestId = page.requestId;
    const items = page.data.filter(hasId);
    rows.push(...items);
    // With repeated rows, the rows that belong on this page are unknown.
    if (items.length < page.data.length || repeatsItems) isWhole = false;
    const since = sinceBy(firstDate);
    const oldest = order.oldestOf(page.data);
    isBack = oldest !== null && oldest < since;
    saysEnd = page.has_more === false;
    if (page.data.length > 0) fullPages += 1;
    return isBack || (fullPages >= mostPages && step.kind === 'more') ? 'enough' : undefined;
  };
  try {
    const end = await followPages((cursor) => readListPage(read, cursor), onPage);
    const complete = isWhole && (isBack || (end.kind === 'end' && saysEnd));
    return { status: 'listed', rows, requestId, complete, date: firstDate };
  } catch (error) {
    if (!(error instanceof ListUnreadable)) throw error;
    return { status: error.status, requestId: error.requestId, date: null };
  }
}

export function lookAlikeOf(row: Record<string, unknown>): LookAlike {
  return {
    id: textOf(row['id']),
    amount: textOf(row['amount']),
    status: textOf(row['status']),
    createdAt: createdAt(row),
  };
}

/** Unix seconds; null if missing. */
export function createdAt(item: unknown): number | null {
  const time = isObject(item) ? timeAsCame(item['created_at']) : null;
  return typeof time === 'number' && Number.isFinite(time) ? time : null;
}

interface ListPage extends PageEnd {
  data: unknown[];
  requestId: string | null;
  /** Unix seconds. */
  date: number | null;
}

class ListUnreadable extends Error {
  readonly status: 'not-offered' | 'unreadable';
  readonly requestId: string | null;
  constructor(status: 'not-offered' | 'unreadable', requestId: string | null) {
    super(status);
    this.status = status;
    this.requestId = requestId;
  }
}

async function readListPage(
  read: (target: string, timeoutMs: number) => Promise<AttemptResult>,
  cursor: string | null,
): Promise<ListPage> {
  const query = new URLSearchParams({ limit: String(LIMIT_MAX) });
  if (cursor !== null) query.set('starting_after', cursor);
  const answer = await read(`${PATHS.withdrawals}?${query.toString()}`, TIMEOUT_MS);
  const page = listPageOf(answer);
  if (page !== null) return page;
  const requestId = answer.kind === 'answer' ? answer.requestId : null;
  throw new ListUnreadable(cursor === null && saysNotFound(answer) ? 'not-offered' : 'unreadable', requestId);
}

function listPageOf(answer: AttemptResult): ListPage | null {
  if (answer.kind === 'no-answer' || !answer.complete) return null;
  if (answer.status < 200 || answer.status >= 300) return null;
  const body = parseJson(answer.text);
  if (!isObject(body) || !Array.isArray(body['data'])) return null;
  return { data: body['data'], requestId: answer.requestId, date: answer.date, ...pageEnd(body) };
}

function hasId(item: unknown): item is Record<string, unknown> {
  return isObject(item) && typeof item['id'] === 'string';
}

/** Tracks the order: only in an ordered list does one old row prove that all later ones are older. */
function createOrderCheck() {
  let oldest = Number.POSITIVE_INFINITY;
  return {
    /** Unix seconds of the page's last row; null for an empty page, or if the list was out of order. */
    oldestOf: (items: readonly unknown[]): number | null => {
      const times = items.map(createdAt);
      const isInOrder = times.every((time, index) => time !== null && time <= (times[index - 1] ?? oldest));
      oldest = isInOrder ? (times.at(-1) ?? oldest) : Number.NEGATIVE_INFINITY;
      return isInOrder && times.length > 0 ? oldest : null;
    },
  };
}

function saysNotFound(answer: AttemptResult): boolean {
  if (answer.kind === 'no-answer' || !answer.complete) return false;
  const envelope = readEnvelope(answer.text);
  return envelope !== null && isNotFound({ ...envelope, status: answer.status, requestId: envelope.request_id });
}

function textOf(value: unknown): string {
  return textOrJson(value ?? null);
}

type DateRead = { date: number } | { reason: string; isKeyRefused?: true };

const REASONS: Record<string, string> = {
  timeout: 'The provider did not respond in time.',
  redirect: 'Something else responded in place of the provider.',
};

/**
 * The service's clock (Unix seconds), from the Date of a read made now; or why it can't be known. A web page of a hotel
 * or proxy doesn't count: its Date is from another clock.
 */
export async function askServiceDate(read: (target: string) => Promise<AttemptResult>): Promise<DateRead> {
  const answer = await read(`${PATHS.balances}?limit=1`);
  if (answer.kind === 'no-answer') {
    return { reason: REASONS[answer.reason] ?? 'The provider can’t be reached.' };
  }
  if (isWebPage(answer)) {
    return { reason: 'A web page came back in place of the provider’s response.' };
  }
  if ((answer.status === 401 || answer.status === 403) && readEnvelope(answer.text) !== null) {
    return { reason: 'The provider does not accept the API key.', isKeyRefused: true };
  }
  if (answer.status < 200 || answer.status >= 300) {
    return { reason: `The provider responded ${answer.status} when asked for its time.` };
  }
  const body = answer.complete ? parseJson(answer.text) : undefined;
  if (!isObject(body) || !Array.isArray(body['data'])) {
    return { reason: 'The response is not the provider’s, or was cut short.' };
  }
  if (answer.date === null) return { reason: 'The provider’s responses have no date, so nothing can be sent safely.' };
  return { date: answer.date };
}
