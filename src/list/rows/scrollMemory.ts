// Where each list stood, by history entry: the router restores the window's scroll, not that of a part of the page.
// In rows, because their height changes with the window.
const positions = new Map<string, number>();
const KEPT = 200;

export function rememberPosition(entry: string, rows: number): void {
  positions.delete(entry);
  positions.set(entry, rows);
  const [oldest] = positions.keys();
  if (positions.size > KEPT && oldest !== undefined) positions.delete(oldest);
}

/** Rows above the window's top edge, 0 for an entry that was never here. */
export function positionAt(entry: string): number {
  return positions.get(entry) ?? 0;
}

/** Whether the list stood anywhere under this entry since the page was loaded. */
export function wasScrolled(entry: string): boolean {
  return positions.has(entry);
}
