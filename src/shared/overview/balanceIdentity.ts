import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { isAmount } from '#src/shared/amount.ts';
import { equal, sum } from '#src/shared/money.ts';

export const PARTS = ['available', 'pending', 'locked'] as const;
export type BalancePart = (typeof PARTS)[number];
export const FIGURES = [...PARTS, 'total'] as const;

export type BalanceIdentity =
  | { kind: 'holds' }
  /** `sum`: of the three parts. */
  | { kind: 'broken'; sum: string }
  /** A part or the total isn't an amount. */
  | { kind: 'not-checkable'; fields: string[] };

/** Whether total = available + pending + locked (contract 2.1), by exact decimals. */
export function checkIdentity(balance: BalanceRow): BalanceIdentity {
  const fields = FIGURES.filter((field) => !isAmount(balance[field]));
  if (fields.length > 0) return { kind: 'not-checkable', fields };
  const parts = PARTS.map((part) => balance[part]).filter(isAmount);
  const made = sum(parts);
  return isAmount(balance.total) && equal(made, balance.total) ? { kind: 'holds' } : { kind: 'broken', sum: made };
}
