// Where each list stood, by history entry: the router restores the window's scroll, not that of a part of the page.
const offsets = new Map<string, number>();
const KEPT = 200;

export function rememberOffset(entry: string, offset: number): void {
  offsets.delete(entry);
  offsets.set(entry, offset);
  const [oldest] = offsets.keys();
  if (offsets.size > KEPT && oldest !== undefined) offsets.delete(oldest);
}

/** Pixels from the top, 0 for an entry that was never here. */
export function offsetOf(entry: string): number {
  return offsets.get(entry) ?? 0;
}
