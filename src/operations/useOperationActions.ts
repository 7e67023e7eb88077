import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ActionResult, CheckResult } from './outcomes.ts';
import { browserOperations } from './browser.ts';

type Act<T, Words = void> = UseMutationResult<T, Error, Words>;

/** What a person may do to one operation; `allowed` of useOperation says which. Never throws: reasons are outcomes. */
export function useOperationActions(id: string): {
  send: Act<ActionResult>;
  resend: Act<ActionResult>;
  discard: Act<ActionResult>;
  check: Act<CheckResult>;
  close: Act<ActionResult, string>;
  confirmNotSent: Act<ActionResult, string>;
} {
  return {
    send: useAct(() => browserOperations().send(id)),
    resend: useAct(() => browserOperations().resend(id)),
    discard: useAct(() => browserOperations().discard(id)),
    check: useAct(() => browserOperations().check(id)),
    close: useAct((words: string) => browserOperations().close(id, words)),
    confirmNotSent: useAct((words: string) => browserOperations().confirmNotSent(id, words)),
  };
}

function useAct<T, Words = void>(act: (words: Words) => Promise<T>): Act<T, Words> {
  return useMutation({ mutationFn: act, networkMode: 'always', retry: 0, gcTime: 0 });
}
