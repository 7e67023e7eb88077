import { browserOperations } from './browser.ts';

/** Resolves when this browser's operations were read for the first time, or could not be. */
export function operationsRead(): Promise<void> {
  const { getSnapshot, subscribe } = browserOperations();
  const isRead = (): boolean => getSnapshot().status !== 'loading';
  if (isRead()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      if (!isRead()) return;
      stop();
      resolve();
    });
  });
}
