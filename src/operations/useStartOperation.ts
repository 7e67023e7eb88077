import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { StartResult, StartRequest } from './outcomes.ts';
import { browserOperations } from './browser.ts';

/**
 * Records the operation and starts its one attempt; resolves when the attempt is durably under way, not when it is
 * answered. Never throws: what stands in the way is an outcome. A second call while one runs gets the first one's outcome.
 */
export function useStartOperation(): UseMutationResult<StartResult, Error, StartRequest> {
  return useMutation({
    mutationFn: (request: StartRequest) => browserOperations().start(request),
    networkMode: 'always',
    retry: 0,
    gcTime: 0,
  });
}
