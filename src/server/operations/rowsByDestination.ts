import { groupBy } from '#src/shared/groupBy.ts';
import { type Destination, destinationForm } from '#src/shared/operations/compare.ts';

/** A row of the service's list of withdrawals. */
type ListRow = Record<string, unknown>;

/**
 * Finds the rows that may have paid a destination, without comparing each row with each payment: those with this destination,
 * and those that lack a field.
 */
export function rowsByDestination(rows: readonly ListRow[]): (destination: Destination) => ListRow[] {
  const byForm = groupBy(rows, formOf);
  const partial = byForm.get(null) ?? [];
  return (destination) => [...(byForm.get(destinationForm(destination)) ?? []), ...partial];
}

function formOf({ asset, chain, address }: ListRow): string | null {
  const isWhole = typeof asset === 'string' && typeof chain === 'string' && typeof address === 'string';
  return isWhole ? destinationForm({ asset, chain, address }) : null;
}
