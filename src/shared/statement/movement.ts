import type { StatementLine } from './ledgerMoves.ts';

/** A change of one balance, as the ledger has it; without a ledger, a completed payment or its fee. */
export interface Movement {
  /** Unix seconds. */
  at: number;
  asset: string;
  /** Signed, exact. */
  amount: string;
  /** The ID of the payment or swap that moved it. */
  source: string;
  kind: StatementLine | null;
  /** The ledger's own word for it; empty if it has none. */
  type: string;
}

/** A withdrawal may move two assets, so its ID alone doesn't say which of them was charged. */
export function sourceKey(asset: string, source: string): string {
  return `${asset.length} ${asset} ${source}`;
}
