// Payments that are open or failed, as the service's status filters find them.
import type { ResponseInfo } from '#src/shared/answers.ts';
import type { ListFilters } from '#src/shared/contract/contract.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { followPages, type FollowedPage } from '#src/shared/paging/followPages.ts';
import { HOME_STATUSES, isOpenStatus, toneOf } from '#src/shared/paymentStatus.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { compareWords } from '#src/shared/text.ts';
import { isPlausibleTime, oldestTime, sortableTime } from '#src/shared/time.ts';
import type { Payment } from './payment.ts';

/** A failed payment needs attention for this many days after it failed. */
export const FAILED_DAYS = 7;
/** Failed payments are searched this many days back, as they may fail long after they were created. */
export const LATE_DAYS = 30;
/** Open payments younger than this, in seconds, are not loaded one by one. */
export const SOON = 3600;

const MAX_PAGES = 5;
const DAY = 86_400;

export interface OpenPayments extends ResponseInfo {
  /** Not final, oldest first. */
  open: Payment[];
  /** Newest first: all of the last FAILED_DAYS, and older ones up to LATE_DAYS as far as MAX_PAGES reach. */
  failed: Payment[];
  /** Statuses that may have more rows; with the reason if paging is broken. */
  partly: { status: string; reason: string | null }[];
}

/** Filters for the payments of one status: open ones oldest first, ended ones newest first. */
export function statusFilters(status: string, asset?: string): ListFilters {
  return { status, ...(asset !== undefined && { asset }), ...(isOpenStatus(status) && { order: 'asc' }) };
}

/** A page of payments, and when it was read. */
export interface PaymentPage extends FollowedPage, ResponseInfo {
  data: readonly Payment[];
}

/** The payments of one status. */
export interface StatusRead {
  status: string;
  rows: readonly Payment[];
  /** Times and request id of the first page; null if the service refused the status. */
  meta: ResponseInfo | null;
  /** Set if the service may have more rows; `reason`: set if paging is broken. */
  partly: { reason: string | null } | null;
  /** When the last row of an unfinished read was created; null: read to the end. */
  readTo: number | null;
  /** Why the service refused a status of the fixed set; otherwise null. */
  refusal: unknown;
}

interface StatusReader {
  page: (filters: ListFilters, cursor: string | null) => Promise<PaymentPage>;
  /** The service knows no such status. */
  isRefusal: (error: unknown) => boolean;
  asset?: string | undefined;
}

/** Reads open payments oldest first until they are recent, failed ones of the last weeks. */
export async function readStatus(
  kind: PaymentKind,
  status: string,
  { page: readPage, isRefusal, asset }: StatusReader,
): Promise<StatusRead> {
  const rows: Payment[] = [];
  const metas: ResponseInfo[] = [];
  const isOpen = isOpenStatus(status);
  let reached = 0;
  let last: number | null = null;
  try {
    const end = await followPages(
      (cursor) => readPage(statusFilters(status, asset), cursor),
      (page) => {
        metas.push({ requestId: page.requestId, date: page.date, readAt: page.readAt });
        // A service that ignores a filter may return rows of any status or asset.
        const isOfAsset = (row: Payment) => asset === undefined || row.asset === asset;
        rows.push(...page.data.filter((row) => row.status === status && isOfAsset(row)));
        const age = ageOf(page);
        reached = age ?? reached;
        last = page.data.map(({ created_at: at }) => at).findLast(isPlausibleTime) ?? last;
        // The end of the list proves more than "enough".
        if (page.has_more === false) return undefined;
        return age !== null && (isOpen ? reached < SOON : reached > LATE_DAYS * DAY) ? 'enough' : undefined;
      },
      { maxPages: MAX_PAGES },
    );
    const reason = end.kind === 'broken' ? end.reason : null;
    // Failed payments older than FAILED_DAYS may be missing: the list page has them.
    const isPart = end.kind === 'broken' || (end.kind === 'more' && (isOpen || reached <= FAILED_DAYS * DAY));
    const partly = isPart ? { reason } : null;
    return { status, rows, meta: metas[0] ?? null, partly, readTo: end.kind === 'end' ? null : last, refusal: null };
  } catch (error) {
    // A refusal of a later page isn't about the status.
    if (metas.length > 0 || !isRefusal(error)) throw error;
    // A refused status of the fixed set has no payments. A further one came from a row, so its rows are missing here.
    const requested: readonly string[] = HOME_STATUSES[kind];
    if (requested.includes(status)) return { status, rows, meta: null, partly: null, readTo: null, refusal: error };
    return { status, rows, meta: null, partly: { reason: null }, readTo: null, refusal: null };
  }
}

/** Rows with the status of a payment in progress that the service doesn't list as such any more. */
export function noLongerOpen(rows: readonly Payment[], reads: readonly StatusRead[]): string[] {
  const open = new Set(reads.flatMap((read) => read.rows.map(({ id }) => id)));
  return rows.flatMap(({ id, status, created_at: at }) => {
    const read = reads.find((each) => each.status === status);
    if (read === undefined || open.has(id) || read.refusal !== null) return [];
    // Newer rows were not all read.
    if (read.readTo !== null && !(isPlausibleTime(at) && at < read.readTo)) return [];
    return id;
  });
}

/** Each payment once, from the latest read: one whose status changed between two reads is in both. */
export function eachPaymentOnce(reads: readonly StatusRead[]): Payment[] {
  const inOrder = reads.toSorted((a, b) => (a.meta?.readAt ?? 0) - (b.meta?.readAt ?? 0));
  return [...new Map(inOrder.flatMap(({ rows }) => rows.map((row) => [row.id, row] as const))).values()];
}

/** Throws the refusal if the service refused all statuses: then the error isn't about one status. */
export function openPaymentsOf(reads: readonly StatusRead[], readAt: number): OpenPayments {
  const [refused] = reads.every(({ refusal }) => refusal !== null) ? reads : [];
  if (refused) throw refused.refusal;
  const metas = reads.flatMap(({ meta }) => meta ?? []);
  const rows = eachPaymentOnce(reads);
  const { requestId, date } = metas[0] ?? { requestId: null, date: null };
  return {
    requestId,
    date,
    readAt: metas.length === 0 ? readAt : Math.min(...metas.map((meta) => meta.readAt)),
    open: rows.filter(({ status }) => toneOf(status) === 'motion').sort(byTime),
    failed: rows.filter(({ status }) => toneOf(status) === 'alarm').sort((a, b) => byTime(b, a)),
    partly: reads.flatMap(({ status, partly }) => (partly === null ? [] : [{ status, ...partly }])),
  };
}

/**
 * Adds the payments of a list that have no status, which no status filter finds. If no payment has one, the provider sends
 * none, and the list is reported as partly read.
 */
export function withStatusless(read: OpenPayments, rows: readonly Payment[]): OpenPayments {
  const without = rows.filter(({ status }) => status === null);
  if (without.length === 0) return read;
  if (without.length === rows.length) return { ...read, partly: [...read.partly, { status: '', reason: null }] };
  const known = new Set(read.open.map(({ id }) => id));
  return { ...read, open: [...read.open, ...without.filter(({ id }) => !known.has(id))].sort(byTime) };
}

/** Age of the page's last row in seconds, by the service's clock; null if no row has a time. */
function ageOf({ data, date, readAt }: PaymentPage): number | null {
  const last = oldestTime(data);
  return last === null ? null : (date ?? readAt) - last;
}

function byTime(a: Payment, b: Payment): number {
  return sortableTime(a.created_at) - sortableTime(b.created_at) || compareWords(a.id, b.id);
}

/** Statuses in these rows that are not final and not among those always requested. */
export function furtherStatuses(kind: PaymentKind, rows: readonly Payment[]): string[] {
  const requested: readonly string[] = HOME_STATUSES[kind];
  const statuses = new Set(rows.flatMap(({ status }) => status ?? []));
  return [...statuses]
    .filter((status) => toneOf(status) !== 'proof' && !requested.includes(status) && isSearchText(status))
    .sort(compareWords)
    .slice(0, FURTHER_MAX);
}

/** A limit, as a broken service could return any number of statuses. */
const FURTHER_MAX = 8;
