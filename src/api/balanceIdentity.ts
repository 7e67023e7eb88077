import type { BalanceRow } from './schemas.ts';
import { isAmount } from '#src/lib/amount.ts';
import { equal, share, sum } from '#src/lib/money.ts';

export const PARTS = ['available', 'pending', 'locked'] as const;
export type Part = (typeof PARTS)[number];

export type Identity =
  | { kind: 'holds' }
  /** `sum` is what the three parts make. */
  | { kind: 'broken'; sum: string }
  /** A part or the total is no amount, so there is nothing to add up. */
  | { kind: 'not-checkable'; fields: string[] };

/** Whether total = available + pending + locked (contract 2.1), by exact decimals. */
export function checkIdentity(balance: BalanceRow): Identity {
  const fields = [...PARTS, 'total' as const].filter((field) => !isAmount(balance[field]));
  if (fields.length > 0) return { kind: 'not-checkable', fields };
  const parts = PARTS.map((part) => balance[part]).filter(isAmount);
  const made = sum(parts);
  return isAmount(balance.total) && equal(made, balance.total) ? { kind: 'holds' } : { kind: 'broken', sum: made };
}

export interface Share {
  part: Part;
  /** Where the part begins, in percent of the bar. */
  from: number;
  percent: number;
  label: string;
}

/** What each part is of the three together, for the bar; null where a bar would lie: no amounts, nothing held, below zero. */
export function sharesOf(balance: BalanceRow): Share[] | null {
  const parts = PARTS.map((part) => ({ part, amount: balance[part] }));
  const amounts = parts.map(({ amount }) => amount).filter(isAmount);
  if (amounts.length < PARTS.length || amounts.some((amount) => amount.startsWith('-'))) return null;
  const whole = sum(amounts);
  if (equal(whole, '0')) return null;
  let from = 0;
  return parts.map(({ part, amount }) => {
    const { percent, label } = share(isAmount(amount) ? amount : '0', whole);
    const at = { part, from, percent, label };
    from += percent;
    return at;
  });
}
