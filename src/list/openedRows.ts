// Which rows were opened, for this page load only: what somebody looked at is nobody else's business.
import { useSyncExternalStore } from 'react';

let opened: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

export function markOpened(id: string): void {
  if (opened.has(id)) return;
  opened = new Set(opened).add(id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useOpenedRows(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => opened);
}
