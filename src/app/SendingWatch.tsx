import { useEffect } from 'react';
import { useOperations } from '#src/operations/useOperations.ts';
import { setSending } from './newBuild.ts';

/** Keeps the app from reading itself again while an operation is being sent. */
export function SendingWatch() {
  const { operations } = useOperations();
  const sending = operations.some(({ state }) => state === 'sending');
  useEffect(() => {
    setSending(sending);
    return () => setSending(false);
  }, [sending]);
  return null;
}
