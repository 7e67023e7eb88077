import { useEffect } from 'react';
import { NavigationType, useBlocker } from 'react-router';

/**
 * The browser's Back during review leads to the form with its values. Review is no entry of the history: the operation
 * replaces the form's, so that Back after sending finds no armed form.
 */
export function useBackToForm(reviewing: boolean, back: () => void): void {
  const blocker = useBlocker(({ historyAction }) => reviewing && historyAction === NavigationType.Pop);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    blocker.reset();
    back();
  }, [blocker, back]);
}
