// The journal may be set back: a replica without the last commits, an old backup. Whoever has seen it further on tells it.
import { JOURNAL_HEADER } from '#src/lib/serverPaths.ts';

interface Position {
  journal: string;
  at: bigint;
}

let furthest: Position | null = null;

/** The furthest position that this page has seen, as it is brought back; null before any. */
export function journalSeen(): string | null {
  return furthest && written(furthest);
}

/** The journal's header of a request, for the server's own paths alone: the service has no business with it. */
export function journalHeader(path: string): [string, string][] {
  const seen = isOwn(path) ? journalSeen() : null;
  return seen === null ? [] : [[JOURNAL_HEADER, seen]];
}

/** Notes where an answer says that the journal is; `brought`: what its request had told the server. */
export function noteJournal(path: string, stated: string | null, brought: string | null): void {
  const next = isOwn(path) ? positionIn(stated) : null;
  if (next === null) return;
  if (furthest === null) furthest = next;
  else if (next.journal === furthest.journal) furthest = next.at > furthest.at ? next : furthest;
  // Another journal in its place: believed only from a server that was told of the first one.
  else if (brought === written(furthest)) furthest = next;
}

function positionIn(header: string | null): Position | null {
  const match = /^(\S{1,100}) (\d{1,20})$/.exec(header ?? '');
  return match?.[1] && match[2] ? { journal: match[1], at: BigInt(match[2]) } : null;
}

function written({ journal, at }: Position): string {
  return `${journal} ${at}`;
}

function isOwn(path: string): boolean {
  return path.startsWith('/api/') || path === '/session';
}
