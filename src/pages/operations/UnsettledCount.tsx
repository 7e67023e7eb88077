import { useOperations } from '#src/operations/useOperations.ts';
import { unsettledOf } from '#src/operations/unsettled.ts';

/** How many operations wait for a person; nothing when none does. */
export function UnsettledCount() {
  const count = unsettledOf(useOperations()).length;
  if (count === 0) return null;
  return <span className="tab-open">{count} open</span>;
}
