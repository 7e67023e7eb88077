// The parts that all replies to a customer share.
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { counted, revealHidden, visibleCode } from '#src/shared/text.ts';
import { dateOf, formatClock } from '#src/shared/time.ts';

/** The customer's and the team's names for the payment; empty if unknown. */
export interface ReplyNames {
  order: string;
  ticket: string;
  /** The merchant, as a signature. */
  merchant: string;
}

export function letter(
  text: string,
  { ticket = '', merchant = '' }: Partial<ReplyNames>,
  facts: readonly string[],
): string {
  const last = [...facts, ...(ticket === '' ? [] : [`Ticket: ${revealHidden(ticket)}`])];
  const lines = ['Hello,', '', text, ...(last.length > 0 ? ['', ...last] : []), '', 'Kind regards'];
  if (merchant !== '') lines.push(revealHidden(merchant));
  return `${lines.join('\n')}\n`;
}

/** "order 4711" for "4711", else the reference as written; null without one. */
export function orderName(order: string): string | null {
  if (order === '') return null;
  return revealHidden(/^#?[\d-]+$/.test(order) ? `order ${order}` : order);
}

export function amountSuffix(amount: unknown, asset: string | null): string {
  return isAmount(amount) && asset !== null ? ` of ${formatAmount(amount, 'en')} ${visibleCode(asset)}` : '';
}

export function chainName(chain: string): string {
  return revealHidden(chainLabel(chain));
}

export function clock(unix: number): string {
  return formatClock(unix, 'utc').slice(0, 5);
}

const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** "24 November" for "2026-11-24", with the year if it isn't that of `today`. */
export function dayInWords(date: string, today: string): string {
  const [year, month, day] = date.split('-').map((part) => Number.parseInt(part, 10));
  const isThisYear = today.startsWith(`${year}-`);
  return `${day} ${MONTH_NAMES[(month ?? 1) - 1]}${isThisYear ? '' : ` ${year}`}`;
}

export function utcDate(unix: number): string {
  return dateOf(unix, 'utc');
}

export function durationInWords(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.round(seconds / 3600);
  if (minutes === 1) return 'a minute';
  if (minutes < 60) return `${minutes} minutes`;
  if (hours < 48) return hours === 1 ? 'an hour' : `${hours} hours`;
  return counted(Math.floor(seconds / 86_400), 'day', 'days');
}
