import { paths } from '#src/lib/paths.ts';
import type { WithdrawalFields } from '#src/operations/body.ts';
import { withdrawalRequest } from '#src/operations/kinds.ts';
import { useSending } from '#src/operations/useSending.ts';

/** Sends what was reviewed under the form's one key. */
export function useSend(key: string, leaveFor: (path: string, state?: unknown) => void) {
  const { send, ...sending } = useSending((id, instead) =>
    leaveFor(paths.operation(id), instead ? { instead: true } : null),
  );
  return { ...sending, send: (values: WithdrawalFields) => send((of) => withdrawalRequest(key, values, of)) };
}
