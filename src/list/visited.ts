// Which rows were opened, for this page load only: what somebody looked at is nobody else's business.
import { useSyncExternalStore } from 'react';

let visited: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

export function markVisited(id: string): void {
  if (visited.has(id)) return;
  visited = new Set(visited).add(id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useVisited(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => visited);
}
