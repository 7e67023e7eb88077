import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { listInWords, revealHidden, visibleCode } from '#src/shared/text.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { amountOf, clock, dayInWords, letter, type ReplyNames, utcDate } from './replyWords.ts';

/** How a search for a customer's payment ended, other than with one payment. */
export type SearchEnd =
  | {
      kind: 'not-found';
      amount?: string | undefined;
      asset?: string | undefined;
      /** "2026-11-24". */
      day?: string | undefined;
      hash?: string | undefined;
      /** Whether the customer named the address that they paid. */
      hasAddress?: boolean;
    }
  | { kind: 'not-ours' }
  | {
      kind: 'several';
      payments: readonly { amount: unknown; asset: string | null; created_at?: unknown }[];
      /** The day that the customer named, "2026-11-24". */
      day?: string | undefined;
    };

/** A reply about a search. `today`: "2026-11-26". */
export function searchReply(end: SearchEnd, today: string, names: Partial<ReplyNames> = {}): string {
  return letter(searchText(end, today), names, []);
}

function searchText(end: SearchEnd, today: string): string {
  switch (end.kind) {
    case 'not-found':
      return notFoundText(end, today);
    case 'not-ours':
      return 'We don’t know the address you paid. Please check it with your wallet, and tell us where you found it.';
    case 'several':
      return severalText(end, today);
  }
}

function notFoundText(end: Extract<SearchEnd, { kind: 'not-found' }>, today: string): string {
  const { amount, asset, day, hash, hasAddress = false } = end;
  const figure = isAmount(amount) ? formatAmount(amount, 'en') : '';
  const of = figure === '' ? '' : ` of ${`${figure} ${visibleCode(asset ?? '')}`.trim()}`;
  const on = day === undefined ? '' : ` on ${dayInWords(day, today)}`;
  const to = hasAddress ? ' to that address' : '';
  const by = hash === undefined ? '' : ` with the transaction hash ${revealHidden(hash)}`;
  const needed = [
    ...(hash === undefined ? ['the transaction hash'] : []),
    // Only what is missing from a hash or an address that led nowhere.
    ...((hash !== undefined || hasAddress) && figure === '' ? ['the amount'] : []),
    ...((hash !== undefined || hasAddress) && day === undefined ? ['the day'] : []),
    ...(hasAddress ? [] : ['the address you paid to']),
  ];
  const asked = needed.length === 0 ? '' : ` Please send us ${listInWords(needed)}.`;
  return `We can’t find a payment${of}${on}${to}${by}.${asked}`;
}

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five'];

function severalText({ payments, day }: Extract<SearchEnd, { kind: 'several' }>, today: string): string {
  const amounts = payments.map(({ amount, asset }) => amountOf(amount, asset));
  const same = amounts.every((amount) => amount === amounts[0]) ? amounts[0] : '';
  const times = payments.flatMap(({ created_at: at }) => (isPlausibleTime(at) ? at : [])).toSorted((a, b) => a - b);
  const count = COUNTS[payments.length] ?? String(payments.length);
  return `We see ${count} payments${same}${timesInWords(times, day, today)}. Which one is yours? The transaction hash tells.`;
}

function timesInWords(times: readonly number[], dayNamed: string | undefined, today: string): string {
  const [day, ...others] = new Set(times.map(utcDate));
  if (day === undefined || times.length >= COUNTS.length) return '';
  if (others.length > 0)
    return `, on ${listInWords(times.map((at) => `${dayInWords(utcDate(at), today)} at ${clock(at)} UTC`))}`;
  const on = day === dayNamed ? 'that day' : `on ${dayInWords(day, today)}`;
  return ` ${on}, at ${listInWords(times.map(clock))} UTC`;
}
