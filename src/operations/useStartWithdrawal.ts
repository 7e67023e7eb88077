import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { StartResult, StartWithdrawal } from './outcomes.ts';
import { browserOperations } from './browser.ts';

/**
 * Records the withdrawal and starts its one attempt; resolves when the attempt is durably under way, not when it is
 * answered. Never throws: what stands in the way is an outcome. A second call while one runs gets the first one's outcome.
 */
export function useStartWithdrawal(): UseMutationResult<StartResult, Error, StartWithdrawal> {
  return useMutation({
    mutationFn: (request: StartWithdrawal) => browserOperations().start(request),
    networkMode: 'always',
    retry: 0,
    gcTime: 0,
  });
}
