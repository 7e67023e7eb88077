import { queryOptions } from '@tanstack/react-query';
import { isPlausibleTime } from '#src/lib/time.ts';
import { toneOf } from '#src/lib/paymentStatus.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { compareWords } from '#src/lib/text.ts';
import { CODE_INVALID_REQUEST, LIMIT_MAX } from './contract.ts';
import { ApiError } from './errors.ts';
import { ASKED_STATUSES, statusFilters } from './pageQuery.ts';
import { type Page, walkPages } from './paging.ts';
import { type Payment, type PaymentKind, PAYMENTS } from './payments.ts';
import { type Meta, noMeta } from './read.ts';
import { oldestTime } from './rowsBack.ts';

/** Days in which a failed payment asks for somebody. */
export const FAILED_DAYS = 7;
/** Nothing that waits for less is looked at one by one, in seconds. */
export const SOON = 3600;

const MAX_PAGES = 5;

/** Payments of some statuses, as the service's own filter finds them. */
export interface OpenPayments extends Meta {
  /** Not final, oldest first. */
  open: Payment[];
  /** Of the last days, newest first. */
  failed: Payment[];
  /** Statuses of which older rows than these may be there, with why where paging is broken. */
  partly: { status: string; reason: string | null }[];
}

/** Payments in these statuses: open ones oldest first until they are recent, failed ones of the last days. */
export function openPayments(account: string, kind: PaymentKind, statuses: readonly string[], asset?: string) {
  return queryOptions({
    queryKey: [account, `${kind}s`, 'open', asset ?? null, statuses],
    queryFn: async ({ signal }): Promise<OpenPayments> => {
      const read = await Promise.all(statuses.map((status) => ofStatus(status)));
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
        try {
          const end = await walkPages(
            (cursor) =>
              PAYMENTS[kind].page(statusFilters(status, !isOpen, asset), cursor, { limit: LIMIT_MAX, account, signal }),
            (page) => {
              metas.push(page);
              // A service that does not know the word may answer with rows of any status.
              found.push(...page.data.filter((row) => row.status === status));
              return isEnough(page, isOpen) ? 'enough' : undefined;
            },
            { signal, maxPages: MAX_PAGES },
          );
          const reason = end.kind === 'broken' ? end.reason : null;
          const isPart = end.kind === 'broken' || end.kind === 'more';
          return { rows: found, metas, partly: isPart ? { status, reason } : null };
        } catch (error) {
          // A service that knows no such status has no payment in it.
          if (error instanceof ApiError && error.status === 400 && error.code === CODE_INVALID_REQUEST)
            return { rows: [], metas: [], partly: null };
          throw error;
        }
      }
    },
    structuralSharing: false,
  });
}

/** What follows is too new to be stuck, or failed too long ago. */
function isEnough({ data, date, readAt }: Page<Payment>, isOpen: boolean): boolean {
  const last = oldestTime(data);
  if (last === null) return false;
  const age = (date ?? readAt) - last;
  return isOpen ? age < SOON : age > FAILED_DAYS * 86_400;
}

function byTime(a: Payment, b: Payment): number {
  return timeOf(a) - timeOf(b) || compareWords(a.id, b.id);
}

function timeOf({ created_at: at }: Payment): number {
  return isPlausibleTime(at) ? at : 0;
}

/** Words among these rows that are no end and that the list is not asked for anyway. */
export function furtherStatuses(kind: PaymentKind, rows: readonly Payment[]): string[] {
  const asked: readonly string[] = ASKED_STATUSES[kind];
  const seen = new Set(rows.flatMap(({ status }) => status ?? []));
  return [...seen]
    .filter((status) => toneOf(status) !== 'proof' && !asked.includes(status) && isSearchText(status))
    .sort(compareWords)
    .slice(0, MOST_FURTHER);
}

/** A service with more words of its own than these makes them up. */
const MOST_FURTHER = 8;
