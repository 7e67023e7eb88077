import { useOpenOperations } from '#src/api/useOperations.ts';
import { unsettledOf } from '#src/lib/operations/unsettled.ts';

/** How many operations wait for a person; nothing when none does. */
export function UnsettledCount() {
  const open = useOpenOperations();
  const count = unsettledOf(open).length;
  if (count === 0) return null;
  return (
    <span className="tab-open">
      {count}
      {open.more && '+'} open
    </span>
  );
}
