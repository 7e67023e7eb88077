import { useTeam, useTeamChange } from '#src/web/api/team.ts';
import { type Mark, subjectId, type Subject } from '#src/shared/contract/teamContract.ts';

/** A colleague's mark on a payment or an operation, and how to set it; null until the marks are loaded. */
export function useMark({ kind, id }: Subject, mark: Mark['mark']) {
  const { data } = useTeam('marks');
  const change = useTeamChange('marks');
  if (!data) return null;
  const itemId = subjectId({ kind, id });
  const item = data.items.find((each) => each.id === itemId);
  return {
    /** The mark, if it is set. */
    item: item?.value.mark === mark ? item : null,
    set: (isSet: boolean, onSuccess?: () => void) =>
      change.mutate(
        { id: itemId, value: isSet ? { kind, id, mark } : null, revision: item?.revision ?? 0 },
        onSuccess && { onSuccess },
      ),
    isPending: change.isPending,
    error: change.error,
  };
}
