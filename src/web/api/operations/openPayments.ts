import { queryOptions } from '@tanstack/react-query';
import { sortableTime, oldestTime } from '#src/shared/time.ts';
import { HOME_STATUSES, toneOf } from '#src/shared/paymentStatus.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { compareWords } from '#src/shared/text.ts';
import { CODE_INVALID_REQUEST, LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { ApiError } from '#src/web/api/errors.ts';
import { statusFilters } from '#src/web/api/paging/pageQuery.ts';
import { type Page, walkPages } from '#src/web/api/paging/paging.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type Payment, PAYMENTS } from '#src/web/api/payments.ts';
import { type ResponseInfo, noResponseInfo } from '#src/web/api/query.ts';

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

/** Payments in these statuses: open ones oldest first until they are recent, failed ones of the last weeks. */
export function openPayments(account: string, kind: PaymentKind, statuses: readonly string[], asset?: string) {
  return queryOptions({
    queryKey: [account, `${kind}s`, 'open', asset ?? null, statuses],
    queryFn: async ({ signal }): Promise<OpenPayments> => {
      const read = await Promise.all(statuses.map((status) => ofStatus(status)));
      // If all statuses are refused, the error isn't about one status.
      const [refused] = read.every(({ refusal }) => refusal !== null) ? read : [];
      if (refused) throw refused.refusal;
      const metas = read.flatMap((each) => each.metas.slice(0, 1));
      const rows = read.flatMap((each) => each.rows);
      const { requestId, date, readAt } = metas[0] ?? noResponseInfo();
      return {
        requestId,
        date,
        readAt: Math.min(readAt, ...metas.map((meta) => meta.readAt)),
        open: rows.filter(({ status }) => toneOf(status) === 'motion').sort(byTime),
        failed: rows.filter(({ status }) => toneOf(status) === 'alarm').sort((a, b) => byTime(b, a)),
        partly: read.flatMap(({ partly }) => partly ?? []),
      };

      async function ofStatus(status: string) {
        const matching: Payment[] = [];
        const isOpen = toneOf(status) === 'motion';
        const metas: ResponseInfo[] = [];
        let reached = 0;
        try {
          const end = await walkPages(
            (cursor) =>
              PAYMENTS[kind].page(statusFilters(status, asset), cursor, { limit: LIMIT_MAX, account, signal }),
            (page) => {
              metas.push(page);
              // A service that ignores an unknown status may return rows of any status.
              matching.push(...page.data.filter((row) => row.status === status));
              reached = ageOf(page) ?? reached;
              return ageOf(page) !== null && (isOpen ? reached < SOON : reached > LATE_DAYS * DAY)
                ? 'enough'
                : undefined;
            },
            { signal, maxPages: MAX_PAGES },
          );
          const reason = end.kind === 'broken' ? end.reason : null;
          // Older failed payments than FAILED_DAYS may be missing here: the list has them.
          const isPart = end.kind === 'broken' || (end.kind === 'more' && (isOpen || reached <= FAILED_DAYS * DAY));
          return { rows: matching, metas, partly: isPart ? { status, reason } : null, refusal: null };
        } catch (error) {
          if (!(error instanceof ApiError) || error.isOfLaterPage) throw error;
          if (error.status !== 400 || error.code !== CODE_INVALID_REQUEST) throw error;
          // A refused status of the fixed set has no payments. A further one came from a row, so its rows are missing here.
          const known: readonly string[] = HOME_STATUSES[kind];
          const partly = known.includes(status) ? null : { status, reason: null };
          return { rows: [], metas: [], partly, refusal: partly === null ? error : null };
        }
      }
    },
    structuralSharing: false,
  });
}

/** Age of the page's last row in seconds, by the service's clock; null if no row has a time. */
function ageOf({ data, date, readAt }: Page<Payment>): number | null {
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
