const PART = 1 << 20;

/** A file in the making: what it holds leaves the page's memory with every megabyte, since a Blob may rest on disk. */
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
      if (size >= PART) gather();
    },
    /** What it holds so far. */
    blob: gather,
  };
}

/** Bytes to work through at once, and milliseconds before the page gets a turn. */
const PIECE = 1 << 15;
const TURN_MS = 12;

export async function* piecesOf(file: Blob, size = PIECE): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let since = performance.now();
  for (let at = 0; at < file.size; at += size) {
    yield new Uint8Array(await file.slice(at, at + size).arrayBuffer());
    if (performance.now() - since < TURN_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
}
