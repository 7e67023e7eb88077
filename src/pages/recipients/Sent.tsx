import { numberWords } from '#src/lib/count.ts';
import { isAmount } from '#src/lib/amount.ts';
import { placeKey } from '#src/lib/chains/lookAlike.ts';
import { add } from '#src/lib/money.ts';
import type { Use } from '#src/lib/operations/knownAddresses.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Amount } from '#src/ui/Amount.tsx';

export type Paid = readonly { asset: string; amount: string }[];

export function Sent({ paid }: { paid: Paid | undefined }) {
  if (!paid) return <None />;
  return paid.map(({ asset, amount }) => (
    <span key={asset} className="block">
      <Amount value={amount} asset={asset} flow />
    </span>
  ));
}

export function None() {
  return <span className="dim">—</span>;
}

/** The completed withdrawals that the provider lists, by recipient and asset. */
export function paidTo(list: Known['list']): ReadonlyMap<string, Paid> {
  const sums = new Map<string, Map<string, string>>();
  for (const use of list.status === 'read' ? list.uses.filter(isCompleted) : []) {
    const ofPlace = sums.get(placeKey(use)) ?? new Map<string, string>();
    const asset = use.asset ?? '';
    sums.set(placeKey(use), ofPlace.set(asset, add(ofPlace.get(asset) ?? '0', use.amount ?? '0')));
  }
  return new Map([...sums].map(([key, of]) => [key, [...of].map(([asset, amount]) => ({ asset, amount }))]));
}

function isCompleted({ status, amount, asset }: Use): boolean {
  return asset !== null && isAmount(amount) && (status === 'completed' || status === 'confirmed');
}

/** How far the totals go. */
export function scopeOf(list: Known['list']): string {
  if (list.status !== 'read') return 'Totals couldn’t be loaded: the provider’s list of withdrawals isn’t available.';
  if (list.complete) return 'Sent: completed withdrawals.';
  return `Sent: completed among the latest ${numberWords(list.count)} withdrawals.`;
}
