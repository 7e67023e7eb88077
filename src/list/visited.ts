// Which rows were opened, for this page load only: what somebody looked at is nobody else's business.
import { useSyncExternalStore } from 'react';
import { createStore } from '#src/lib/store.ts';

const visited = createStore<ReadonlySet<string>>(new Set());

export function markVisited(id: string): void {
  if (!visited.get().has(id)) visited.set(new Set(visited.get()).add(id));
}

export function useVisited(): ReadonlySet<string> {
  return useSyncExternalStore(visited.subscribe, visited.get);
}
