import { queryOptions } from '@tanstack/react-query';
import { sortableTime, oldestTime } from '#src/shared/time.ts';
import { HOME_STATUSES, toneOf } from '#src/shared/paymentStatus.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { compareWords } from '#src/shared/text.ts';
import { CODE_INVALID_REQUEST, LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { ApiError } from '#src/web/api/errors.ts';
import { statusFilters } from '#src/web/api/paging/pageQuery.ts';
import { type Page, walkPages } from '#src/web/api/paging/paging.ts';
import { type Payment, type PaymentKind, PAYMENTS } from '#src/web/api/payments.ts';
import { type Meta, noMeta } from '#src/web/api/query.ts';

/** Days in which a failed payment asks for somebody, from when it failed. */
export const FAILED_DAYS = 7;
/** Days back to which failed ones are looked for: they may fail long after they were created. */
export const LATE_DAYS = 30;
/** Nothing that waits for less is looked at one by one, in seconds. */
export const SOON = 3600;

const MAX_PAGES = 5;
const DAY = 86_400;

export interface OpenPayments extends Meta {
  /** Not final, oldest first. */
  open: Payment[];
  /** Newest first: all of the last days, and those before them back to LATE_DAYS as far as a few pages go. */
  failed: Payment[];
  /** Statuses of which older rows than these may be there, with why where paging is broken. */
  partly: { status: string; reason: string | null }[];
}

/** Payments in these statuses: open ones oldest first until they are recent, failed ones of the last weeks. */
export function openPayments(account: string, kind: PaymentKind, statuses: readonly string[], asset?: string) {
  return queryOptions({
    queryKey: [account, `${kind}s`, 'open', asset ?? null, statuses],
    queryFn: async ({ signal }): Promise<OpenPayments> => {
      const read = await Promise.all(statuses.map((status) => ofStatus(status)));
      // A service that refuses each of them refuses something else than a word.
      const [refused] = read.every(({ refusal }) => refusal !== null) ? read : [];
      if (refused) throw refused.refusal;
      const metas = read.flatMap((each) => each.metas.slice(0, 1));
      const rows = read.flatMap((each) => each.rows);
      const { requestId, date, readAt } = metas[0] ?? noMeta();
      return {
        requestId,
        date,
        readAt: Math.min(readAt, ...metas.map((meta) => meta.readAt)),
        open: rows.filter(({ status }) => toneOf(status) === 'motion').sort(byTime),
        failed: rows.filter(({ status }) => toneOf(status) === 'alarm').sort((a, b) => byTime(b, a)),
        partly: read.flatMap(({ partly }) => partly ?? []),
      };

      async function ofStatus(status: string) {
        const found: Payment[] = [];
        const isOpen = toneOf(status) === 'motion';
        const metas: Meta[] = [];
        let reached = 0;
        try {
          const end = await walkPages(
            (cursor) =>
              PAYMENTS[kind].page(statusFilters(status, asset), cursor, { limit: LIMIT_MAX, account, signal }),
            (page) => {
              metas.push(page);
              // A service that does not know the word may answer with rows of any status.
              found.push(...page.data.filter((row) => row.status === status));
              reached = ageOf(page) ?? reached;
              return ageOf(page) !== null && (isOpen ? reached < SOON : reached > LATE_DAYS * DAY)
                ? 'enough'
                : undefined;
            },
            { signal, maxPages: MAX_PAGES },
          );
          const reason = end.kind === 'broken' ? end.reason : null;
          // Of those that failed, who looks for more than the last days has a list for it.
          const isPart = end.kind === 'broken' || (end.kind === 'more' && (isOpen || reached <= FAILED_DAYS * DAY));
          return { rows: found, metas, partly: isPart ? { status, reason } : null, refusal: null };
        } catch (error) {
          if (!(error instanceof ApiError) || error.isOfLaterPage) throw error;
          if (error.status !== 400 || error.code !== CODE_INVALID_REQUEST) throw error;
          // A service that knows no such status has no payment in it, unless one of its rows says so.
          const known: readonly string[] = HOME_STATUSES[kind];
          const partly = known.includes(status) ? null : { status, reason: null };
          return { rows: [], metas: [], partly, refusal: partly === null ? error : null };
        }
      }
    },
    structuralSharing: false,
  });
}

/** Of its last row, in seconds by the service's clock; null: nothing in it says when. */
function ageOf({ data, date, readAt }: Page<Payment>): number | null {
  const last = oldestTime(data);
  return last === null ? null : (date ?? readAt) - last;
}

function byTime(a: Payment, b: Payment): number {
  return sortableTime(a.created_at) - sortableTime(b.created_at) || compareWords(a.id, b.id);
}

/** Words among these rows that are no end and that the list is not asked for anyway. */
export function furtherStatuses(kind: PaymentKind, rows: readonly Payment[]): string[] {
  const asked: readonly string[] = HOME_STATUSES[kind];
  const seen = new Set(rows.flatMap(({ status }) => status ?? []));
  return [...seen]
    .filter((status) => toneOf(status) !== 'proof' && !asked.includes(status) && isSearchText(status))
    .sort(compareWords)
    .slice(0, MOST_FURTHER);
}

/** A service with more words of its own than these makes them up. */
const MOST_FURTHER = 8;
