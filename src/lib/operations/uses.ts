import type { Place } from '#src/lib/chains/lookAlike.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { withdrawalFieldsOf } from './withdrawal.ts';
import { type Operation, mayHavePaid } from './record.ts';

/** A withdrawal to an address, as it was recorded here or as the service lists it. */
export interface Use extends Place {
  source: 'journal' | 'service';
  asset: string | null;
  amount: string | null;
  /** Unix seconds by the service's clock; null where it states none. */
  at: number | null;
  /** The operation's state, or the withdrawal's status as it came. */
  status: string | null;
}

/** Withdrawals that were recorded and may have paid. */
export function recordedUses(operations: readonly Operation[]): Use[] {
  return operations.flatMap((record) => {
    const sent = mayHavePaid(record) ? withdrawalFieldsOf(record) : null;
    if (sent === null) return [];
    const { chain, address, asset, amount } = sent;
    return [
      { chain, address, asset, amount, source: 'journal' as const, at: record.firstSent.service, status: record.state },
    ];
  });
}

/** Withdrawals among rows that lists have read; any other row is none. */
export function listedUses(rows: readonly Record<string, unknown>[]): Use[] {
  return rows.flatMap((row) => {
    const { id, chain, address, asset, amount, status, created_at: at } = row;
    if (typeof id !== 'string' || !id.startsWith('wd_')) return [];
    if (typeof chain !== 'string' || typeof address !== 'string' || address === '') return [];
    return [
      {
        chain,
        address,
        asset: typeof asset === 'string' ? asset : null,
        amount: typeof amount === 'string' ? amount : null,
        source: 'service' as const,
        at: isPlausibleTime(at) ? at : null,
        status: typeof status === 'string' ? status : null,
      },
    ];
  });
}
