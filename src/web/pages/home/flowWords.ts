import type { FlowPeriod } from '#src/shared/overview/flows.ts';
import type { AmountChange } from '#src/shared/money.ts';
import { isSearchText, withParams } from '#src/shared/searchParams.ts';
import type { Zone } from '#src/shared/time.ts';
import { boundsOfDays } from '#src/shared/createdRange.ts';
import { itemOfAsset } from '#src/web/list/itemOfAsset.ts';

/** The flow of the asset in the URL; by default the one with most payments. */
export function flowOfAsset<F extends { asset: string | null; count: number }>(
  flows: readonly F[],
  wanted: string | null,
): F | undefined {
  return itemOfAsset(flows, wanted) ?? flows.toSorted((a, b) => b.count - a.count)[0];
}

/** A list's URL search for these filters and days; null if a value can't be used as a filter. */
export function searchFor(
  { status, asset }: { status?: string | null; asset?: string | null },
  { days }: Pick<FlowPeriod, 'days'>,
  zone: Zone,
): string | null {
  for (const word of [status, asset]) if (word === null || (word !== undefined && !isSearchText(word))) return null;
  const bounds = boundsOfDays({ from: days[0] ?? '', to: days.at(-1) ?? '' }, zone);
  const params = { status: status ?? undefined, asset: asset ?? undefined, ...bounds };
  return withParams(new URLSearchParams(), params).toString();
}

/** "amount up 63 % on the previous 30 days". */
export function comparedWords(change: AmountChange, days: number): string {
  const before = days === 1 ? 'yesterday until this time' : `the previous ${days} days`;
  switch (change.kind) {
    case 'none':
      return `same amount as ${before}`;
    case 'none-before':
      return `none ${days === 1 ? '' : 'in '}${before}`;
    case 'many-times':
      return `amount over 10 times as much as ${before}`;
    case 'more':
    case 'less':
      return `amount ${change.kind === 'more' ? 'up' : 'down'} ${change.percent} on ${before}`;
  }
}
