import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ActionResult, CheckResult } from './outcomes.ts';
import { browserOperations } from './browser.ts';

type Act<T> = UseMutationResult<T, Error, void>;

/** What a person may do to one operation; `allowed` of useOperation says which. Never throws: reasons are outcomes. */
export function useOperationActions(id: string): {
  send: Act<ActionResult>;
  resend: Act<ActionResult>;
  discard: Act<ActionResult>;
  check: Act<CheckResult>;
} {
  return {
    send: useAct(() => browserOperations().send(id)),
    resend: useAct(() => browserOperations().resend(id)),
    discard: useAct(() => browserOperations().discard(id)),
    check: useAct(() => browserOperations().check(id)),
  };
}

function useAct<T>(act: () => Promise<T>): Act<T> {
  return useMutation({ mutationFn: act, networkMode: 'always', retry: 0, gcTime: 0 });
}
