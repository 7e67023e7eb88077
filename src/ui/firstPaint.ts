let painted: () => void = () => undefined;

/** The first screen is painted: what it does not show is read from then on. */
export const firstPaint = new Promise<void>((resolve) => {
  painted = resolve;
});

/** The first screen is in the document; tasks of the lowest rank come after it was painted. */
export function firstDrawn(): void {
  if ('scheduler' in globalThis) void scheduler.postTask(painted, { priority: 'background' });
  else setTimeout(painted, 50);
}
