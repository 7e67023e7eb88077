import { useEffect } from 'react';
import { useStarting } from '#src/api/startOperation.ts';
import { setSending } from './newBuild.ts';

/** Keeps the app from reloading itself while a request is on its way to the journal: it lives in this page's memory. */
export function SendingWatch() {
  const sending = useStarting().length > 0;
  useEffect(() => {
    setSending(sending);
    return () => setSending(false);
  }, [sending]);
  return null;
}
