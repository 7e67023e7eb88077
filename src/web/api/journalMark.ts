// The server's database may go back to an older state. A page that saw a later write proves it by sending that write's mark.
import { JOURNAL_HEADER } from '#src/shared/serverPaths.ts';

let latestMark: string | null = null;

/** The journal's mark that this page sends; null before any response had one. */
export function latestJournalMark(): string | null {
  return latestMark;
}

/** The journal's header of a request, for the dashboard's own paths only; the service must not get it. */
export function journalHeader(path: string): [string, string][] {
  return latestMark !== null && isDashboardPath(path) ? [[JOURNAL_HEADER, latestMark]] : [];
}

/** Notes the mark in a response to a request that carried `requestMark`. */
export function noteJournalMark(path: string, responseMark: string | null, requestMark: string | null): void {
  if (isDashboardPath(path)) latestMark = markToKeep(latestMark, responseMark, requestMark);
}

function isDashboardPath(path: string): boolean {
  return path.startsWith('/api/') || path === '/session';
}

interface SignedMark {
  journal: string;
  position: bigint;
}

/** The mark to send from now on: the response's if it may replace the current one. Null if there is none. */
export function markToKeep(
  current: string | null,
  responseMark: string | null,
  requestMark: string | null,
): string | null {
  const next = readMark(responseMark);
  if (next === null) return current;
  const before = readMark(current);
  const isFurther = before?.journal === next.journal && next.position > before.position;
  // Another journal or an earlier position counts only if the server compared it with the current mark.
  return before === null || isFurther || requestMark === current ? responseMark : current;
}

/** Signed by the server, so that only it can make one: "<journal> <position> <nonce> <mac>". */
function readMark(text: string | null): SignedMark | null {
  const [, journal, position] = /^(\S{1,64}) (\d{1,19}) \S{1,64} \S{1,64}$/.exec(text ?? '') ?? [];
  return journal === undefined || position === undefined ? null : { journal, position: BigInt(position) };
}
