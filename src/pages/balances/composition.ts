import { checkIdentity, type Part, PARTS } from '#src/api/balanceIdentity.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { isAmount, isNegative } from '#src/lib/amount.ts';
import { equal, share, sum } from '#src/lib/money.ts';

export interface Share {
  part: Part;
  /** Where the part begins, in percent of the bar. */
  from: number;
  percent: number;
  /** "42 %", "under 1 %", "over 99 %". */
  label: string;
}

/** How an asset divides into its parts, or why a bar of it would lie. */
export type Composition = { kind: 'parts'; shares: Share[] } | { kind: 'none'; why: string };

/** What each part is of the asset's total; never across assets. */
export function compositionOf(balance: BalanceRow): Composition {
  const amounts = PARTS.map((part) => balance[part]).filter(isAmount);
  if (amounts.length < PARTS.length) return { kind: 'none', why: 'No bar: a part is no amount' };
  if (amounts.some(isNegative)) return { kind: 'none', why: 'No bar: a part is below zero' };
  const whole = sum(amounts);
  const { kind } = checkIdentity(balance);
  if (kind === 'broken') return { kind: 'none', why: 'No bar: the parts do not make the total' };
  if (kind === 'not-checkable') return { kind: 'none', why: 'No bar: the total is no amount' };
  if (equal(whole, '0')) return { kind: 'none', why: 'Nothing held' };
  let from = 0;
  const shares = PARTS.map((part, at) => {
    const { percent, label } = share(amounts[at] ?? '0', whole);
    const of = { part, from, percent, label };
    from += percent;
    return of;
  });
  return { kind: 'parts', shares };
}

/** "97 % available, under 1 % pending, 2 % locked". */
export function compositionWords(shares: readonly Share[]): string {
  return shares.map(({ part, label }) => `${label} ${part}`).join(', ');
}
