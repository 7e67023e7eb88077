// Files that are made line by line and read in pieces, in memory as bytes.

const CHUNK_LENGTH = 1 << 20;
const PIECE_BYTES = 1 << 15;
/** Longest work before other work can run. */
const SLICE_MS = 12;

/** A file in memory, in chunks. */
export interface FileBytes {
  size: number;
  chunks: readonly Uint8Array[];
}

export const NO_BYTES: FileBytes = { size: 0, chunks: [] };

/** Lines of a file. */
export interface FileLines {
  rows: number;
  text: FileBytes;
}

/** A file of text and bytes, one after the other. */
export function fileBytes(...parts: readonly (string | Uint8Array | FileBytes)[]): FileBytes {
  const chunks = parts.flatMap((part): readonly Uint8Array[] => {
    if (typeof part === 'string') return part === '' ? [] : [new TextEncoder().encode(part)];
    return part instanceof Uint8Array ? [part] : part.chunks;
  });
  return { size: chunks.reduce((size, chunk) => size + chunk.length, 0), chunks };
}

export function createLines(from: FileLines = { rows: 0, text: NO_BYTES }) {
  const chunks = [...from.text.chunks];
  let { size } = from.text;
  let { rows } = from;
  let waiting: string[] = [];
  let waitingLength = 0;
  const gather = (): void => {
    if (waitingLength === 0) return;
    const bytes = new TextEncoder().encode(waiting.join(''));
    chunks.push(bytes);
    size += bytes.length;
    waiting = [];
    waitingLength = 0;
  };
  return {
    add(text: string, count: number): void {
      waiting.push(text);
      waitingLength += text.length;
      rows += count;
      if (waitingLength >= CHUNK_LENGTH) gather();
    },
    all: (): FileLines => {
      gather();
      return { rows, text: { size, chunks: [...chunks] } };
    },
  };
}

export async function wholeBytes(file: FileBytes): Promise<Uint8Array> {
  for await (const bytes of piecesOf(file, Math.max(1, file.size))) return bytes;
  return new Uint8Array();
}

/** The file in pieces of exactly this size but for the last; other work can run in between. */
export async function* piecesOf({ chunks, size: whole }: FileBytes, size = PIECE_BYTES): AsyncGenerator<Uint8Array> {
  let since = performance.now();
  let left = whole;
  let piece = new Uint8Array(Math.min(size, left));
  let filled = 0;
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + piece.length - filled);
      piece.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < piece.length) continue;
      yield piece;
      left -= filled;
      piece = new Uint8Array(Math.min(size, left));
      filled = 0;
      if (performance.now() - since < SLICE_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
    }
}
