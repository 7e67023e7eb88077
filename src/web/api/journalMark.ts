// The server's database may go back to an older state. A page that saw a later write proves it by sending that write's mark.

interface SignedMark {
  journal: string;
  position: bigint;
}

/** The mark to send from now on: the current one or, where it may take its place, the response's. Null: none. */
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
