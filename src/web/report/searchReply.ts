import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { listInWords, revealHidden, visibleCode } from '#src/shared/text.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { amountSuffix, clock, dayInWords, letter, type ReplyNames, utcDate } from './replyWords.ts';

type Candidates = readonly { amount: unknown; asset: string | null; created_at?: unknown }[];

/** The result of a search for a customer's payment that did not find exactly one. */
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
      payments: Candidates;
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
    // With a hash or an address that found nothing, ask only for the missing facts.
    ...((hash !== undefined || hasAddress) && figure === '' ? ['the amount'] : []),
    ...((hash !== undefined || hasAddress) && day === undefined ? ['the day'] : []),
    ...(hasAddress ? [] : ['the address you paid to']),
  ];
  const asked = needed.length === 0 ? '' : ` Please send us ${listInWords(needed)}.`;
  return `We can’t find a payment${of}${on}${to}${by}.${asked}`;
}

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five'];

function severalText({ payments, day }: Extract<SearchEnd, { kind: 'several' }>, today: string): string {
  const amounts = new Set(payments.map(({ amount, asset }) => amountSuffix(amount, asset)));
  const [same = ''] = amounts.size === 1 ? amounts : [];
  const count = COUNTS[payments.length] ?? String(payments.length);
  const times = timesInWords(payments, { dayNamed: day, today, withAmounts: amounts.size > 1 });
  return `We see ${count} payments${same}${times}. Which one is yours? The transaction hash tells.`;
}

interface TimesOptions {
  dayNamed: string | undefined;
  today: string;
  withAmounts: boolean;
}

function timesInWords(payments: Candidates, { dayNamed, today, withAmounts }: TimesOptions): string {
  const dated = payments
    .flatMap(({ created_at: at, amount, asset }) => (isPlausibleTime(at) ? { at, amount, asset } : []))
    .toSorted((a, b) => a.at - b.at);
  const [day, ...others] = new Set(dated.map(({ at }) => utcDate(at)));
  if (day === undefined || dated.length >= COUNTS.length) return '';
  if (others.length > 0 || withAmounts) {
    const each = dated.map(({ at, amount, asset }) => {
      const figure = withAmounts ? `${amountSuffix(amount, asset).replace(/^ of /, '')} ` : '';
      return `${figure}on ${dayInWords(utcDate(at), today)} at ${clock(at)} UTC`.trim();
    });
    return withAmounts ? `: ${listInWords(each)}` : `, ${listInWords(each)}`;
  }
  const on = day === dayNamed ? 'that day' : `on ${dayInWords(day, today)}`;
  return ` ${on}, at ${listInWords(dated.map(({ at }) => clock(at)))} UTC`;
}
