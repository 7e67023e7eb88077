let latest: { id: string; at: string } | null = null;

/** Notes that the form at this path has recorded an operation, whose page opens next. */
export function noteRecorded(id: string, at: string): void {
  latest = { id, at };
}

/** The operation that the form at this path has recorded, until that one's page was open; null when it has none. */
export function recordedAt(at: string): string | null {
  return latest?.at === at ? latest.id : null;
}

export function forgetRecorded(id: string): void {
  if (latest?.id === id) latest = null;
}
