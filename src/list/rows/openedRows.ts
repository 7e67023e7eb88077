// Which rows were opened, for this page load only: what somebody looked at is nobody else's business.
import { useSyncExternalStore } from 'react';
import { createStore } from '#src/lib/store.ts';

const opened = createStore<ReadonlySet<string>>(new Set());

export function markOpened(id: string): void {
  if (!opened.get().has(id)) opened.set(new Set(opened.get()).add(id));
}

export function useOpenedRows(): ReadonlySet<string> {
  return useSyncExternalStore(opened.subscribe, opened.get);
}
