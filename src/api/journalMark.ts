// The database behind the server may go back to an older state. Whoever saw a later write brings its mark, which shows that.

interface SignedMark {
  journal: string;
  position: bigint;
}

/**
 * The mark to keep and bring from now on. `stated`: in a response of the server; `brought`: in the request to it; null: none.
 */
export function markToKeep(kept: string | null, stated: string | null, brought: string | null): string | null {
  const next = readMark(stated);
  if (next === null) return kept;
  const before = readMark(kept);
  const isFurther = before?.journal === next.journal && next.position > before.position;
  // Another journal, or an earlier position: believed only from a server that has compared it with ours.
  return before === null || isFurther || brought === kept ? stated : kept;
}

/** Signed by the server, so that only it can make one: "<journal> <position> <nonce> <mac>". */
function readMark(text: string | null): SignedMark | null {
  const [, journal, position] = /^(\S{1,64}) (\d{1,19}) \S{1,64} \S{1,64}$/.exec(text ?? '') ?? [];
  return journal === undefined || position === undefined ? null : { journal, position: BigInt(position) };
}
