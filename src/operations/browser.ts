import type { Operations } from './operations.ts';

let instance: Operations | null = null;

/** The page's one instance, on the real journal, network and clock. */
export function browserOperations(): Operations {
  if (instance === null) throw new Error('Operations are not connected yet.');
  return instance;
}

/** Puts another instance in its place; null: a new one is made at the next use. For tests. */
export function setBrowserOperations(replacement: Operations | null): void {
  instance = replacement;
}
