const PART_BYTES = 1 << 20;

/** Builds a file. Each megabyte goes into a Blob, which the browser may keep on disk instead of in memory. */
export function createBlob(type = '', from = new Blob([], { type })) {
  let whole = from;
  let parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  let size = 0;
  const gather = (): Blob => {
    if (parts.length > 0) whole = new Blob([whole, ...parts], { type });
    parts = [];
    size = 0;
    return whole;
  };
  return {
    add(part: string | Uint8Array<ArrayBuffer>): void {
      parts.push(part);
      size += part.length;
      if (size >= PART_BYTES) gather();
    },
    /** The file so far. */
    blob: gather,
  };
}

const PIECE_BYTES = 1 << 15;
/** Longest work before the page can handle events. */
const SLICE_MS = 12;

/** The file in pieces; the page stays responsive. */
export async function* piecesOf(file: Blob, size = PIECE_BYTES): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let since = performance.now();
  for (let at = 0; at < file.size; at += size) {
    yield new Uint8Array(await file.slice(at, at + size).arrayBuffer());
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
}
