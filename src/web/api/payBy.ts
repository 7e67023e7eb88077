import type { TeamItem, TeamValue } from '#src/shared/contract/teamContract.ts';
import { useSession } from './session.ts';
import { useTeam } from './team.ts';

type PayByItem = TeamItem<TeamValue<'pay-by'>>;

/** Dates by which waiting payments should be paid. Not loaded with SIGN_IN=key, where no payment waits for approval. */
export function usePayBy() {
  const { person } = useSession();
  const query = useTeam('pay-by', person !== null);
  const itemOf = (id: string): PayByItem | null => query.data?.items.find((item) => item.id === id) ?? null;
  const dateOf = (id: string): string | null => itemOf(id)?.value.date ?? null;
  return { query, itemOf, dateOf, hasAny: (ids: readonly string[]) => ids.some((id) => dateOf(id) !== null) };
}
