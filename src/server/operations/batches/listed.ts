import { destinationForm, isToSame } from '#src/shared/operations/compare.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';

type ListedRow = Record<string, unknown>;

/** Finds the rows of the service's list that paid a destination, without comparing each row with each payment. */
export function listedByDestination(rows: readonly ListedRow[]): (sent: WithdrawalFields) => ListedRow[] {
  const byForm = groupBy(rows, formOf);
  // Rows that lack a field are compared one by one.
  const partial = byForm.get(null) ?? [];
  return (sent) => [...(byForm.get(destinationForm(sent)) ?? []), ...partial].filter((row) => isToSame(sent, row));
}

function formOf({ asset, chain, address }: ListedRow): string | null {
  const isWhole = typeof asset === 'string' && typeof chain === 'string' && typeof address === 'string';
  return isWhole ? destinationForm({ asset, chain, address }) : null;
}
