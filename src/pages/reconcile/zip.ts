import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ClosedPeriod } from '#src/api/statementContract.ts';
import { unquoted, readCsv } from '#src/lib/csv.ts';
import type { Known } from './known.ts';
import type { ListName } from './rows.ts';

/** A file of a closed period; its text in pieces. */
export interface TextFile {
  name: string;
  /** Lines below the head. */
  rows: number;
  text: readonly string[];
}

export const BEFORE_FILE = 'before.csv';
export const ADJUSTMENTS_FILE = 'adjustments.csv';
export const FILE_OF: Record<ListName, string> = {
  deposits: 'deposits.csv',
  withdrawals: 'withdrawals.csv',
  ledger: 'ledger.csv',
};

/** Milliseconds of work before the page gets a turn. */
const TURN_MS = 16;

function createTurns() {
  let since = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    since = performance.now();
  };
}

/**
 * One ZIP of the files, and of a last one that is made of their hashes. Reading and hashing 100,000 rows takes seconds, in
 * which the page stays alive.
 */
export async function zipOf(
  files: readonly TextFile[],
  lastOf: (hashed: ClosedPeriod['files']) => TextFile,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; files: ClosedPeriod['files']; sha256: string }> {
  const { Zip, ZipDeflate } = await import('fflate');
  const turn = createTurns();
  const parts: Uint8Array[] = [];
  let length = 0;
  const whole = sha256.create();
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    whole.update(chunk);
    parts.push(chunk);
    length += chunk.length;
  });
  const hashed: ClosedPeriod['files'] = [];

  async function put({ name, rows, text }: TextFile): Promise<void> {
    const entry = new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    const hash = sha256.create();
    const encoder = new TextEncoder();
    let size = 0;
    for (const piece of text) {
      const bytes = encoder.encode(piece);
      hash.update(bytes);
      entry.push(bytes);
      size += bytes.length;
      await turn();
    }
    entry.push(new Uint8Array(), true);
    hashed.push({ name, rows, bytes: size, sha256: bytesToHex(hash.digest()) });
  }

  for (const file of files) await put(file);
  await put(lastOf([...hashed]));
  zip.end();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, files: hashed, sha256: bytesToHex(whole.digest()) };
}

/** Adds to what is known whatever stands in the files of a closed period. */
export async function learnFrom(zip: Uint8Array, known: Known): Promise<void> {
  const { Unzip, UnzipInflate } = await import('fflate');
  const turn = createTurns();
  const unzip = new Unzip((file) => {
    const take = TAKEN[file.name];
    if (!take) return;
    const lines = createLines((cells) => take(known, cells));
    const decoder = new TextDecoder();
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      lines(decoder.decode(chunk, { stream: !isLast }));
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  const STEP = 1 << 15;
  for (let at = 0; at < zip.length; at += STEP) {
    unzip.push(zip.subarray(at, at + STEP), at + STEP >= zip.length);
    await turn();
  }
}

type Take = (known: Known, cells: readonly string[]) => void;

const TAKEN: Readonly<Record<string, Take>> = {
  [FILE_OF.deposits]: (known, [id = '', state = '']) => known.deposits.set(id, state),
  [FILE_OF.withdrawals]: (known, [id = '', state = '']) => known.withdrawals.set(id, state),
  [FILE_OF.ledger]: (known, [id = '']) => known.ledger.set(id, ''),
  [BEFORE_FILE]: (known, [list = '', id = '', state = '']) => stateIn(known, list)?.set(id, state),
  [ADJUSTMENTS_FILE]: (known, [list = '', , id = '', , state = '']) =>
    stateIn(known, list)?.set(id, list === 'ledger' ? '' : state),
};

function stateIn(known: Known, list: string): Map<string, string> | null {
  return list === 'deposits' || list === 'withdrawals' || list === 'ledger' ? known[list] : null;
}

/** Takes a file's text in pieces and gives its lines without the head, each cell as it was before csvRow() guarded it. */
function createLines(onLine: (cells: string[]) => void): (text: string) => void {
  let head: string | null = null;
  let rest = '';
  return (text) => {
    rest += text;
    if (head === null) {
      const end = rest.indexOf('\r\n');
      if (end === -1) return;
      head = rest.slice(0, end + 2);
      rest = rest.slice(end + 2);
    }
    const whole = wholeLines(rest);
    rest = rest.slice(whole.length);
    // With the head, by which the separator is told.
    for (const { cells } of readCsv(head + whole)?.slice(1) ?? []) onLine(cells.map(unquoted));
  };
}

/** Up to the last line end that is in no quotes. */
function wholeLines(text: string): string {
  let end = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\n' && !isQuoted) end = at + 1;
  }
  return text.slice(0, end);
}
