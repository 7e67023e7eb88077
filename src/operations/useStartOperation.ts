import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { StartResult, StartRequest } from './outcomes.ts';
import { browserOperations } from './browser.ts';
import { noteRecorded } from './recordedAt.ts';

/**
 * Records the operation and starts its one attempt; resolves when the attempt is durably under way, not when it is
 * answered. Never throws: what stands in the way is an outcome. A second call while one runs gets the first one's outcome.
 */
export function useStartOperation(): UseMutationResult<StartResult, Error, StartRequest> {
  return useMutation({
    mutationFn: async (request: StartRequest) => {
      const result = await browserOperations().start(request);
      // Before the first answer: one that ends the session takes this form away, and the way back leads to the operation.
      if ('id' in result) noteRecorded(result.id, window.location.pathname);
      return result;
    },
    networkMode: 'always',
    retry: 0,
    gcTime: 0,
  });
}
