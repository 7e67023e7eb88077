import type { TimePassed } from '#src/api/sandboxSchemas.ts';

/** What fell due while time passed, counted: "Processed: 1 withdrawal broadcasted, 2 deposits completed." */
export function dueWords(due: TimePassed['fell_due']): string {
  if (due.length === 0) return 'Nothing was due.';
  const counts = new Map<string, number>();
  for (const { kind, status } of due) {
    const what = `${kind} ${status}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const parts = Array.from(counts, ([what, count]) =>
    count === 1 ? `1 ${what}` : `${count} ${what.replace(/^\w+/, (kind) => `${kind}s`)}`,
  );
  return `Processed: ${parts.join(', ')}.`;
}
