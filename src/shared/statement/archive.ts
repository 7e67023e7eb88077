// A closed period's files as one ZIP. The work is done in small steps, so that other work can run: 100,000 rows take seconds.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Unzip, UnzipInflate, Zip, ZipDeflate } from 'fflate';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { isAmount } from '#src/shared/amount.ts';
import { readCsv, unquoted } from '#src/shared/files/csv.ts';
import type { ReportedRows } from './reportedRows.ts';
import { fileBytes, type FileBytes, type FileLines, piecesOf } from './lines.ts';
import type { LateEntry } from './monthReads.ts';
import { PERIOD_LISTS } from './periodRows.ts';
import { type SumVerdict, VERDICTS } from './sums.ts';

/** A file of a closed period; `rows` excludes the header line. */
export interface NamedFile extends FileLines {
  name: string;
}

/** The folder of the files that prove the figures. Older statements have no folders: readers accept a file with or without it. */
const EVIDENCE = 'evidence/';
export const evidencePath = (name: string): string => `${EVIDENCE}${name}`;

export const BEFORE_FILE = 'before.csv';
export const ADJUSTMENTS_FILE = 'adjustments.csv';
export const SUMMARY_FILE = 'summary.csv';

/**
 * One ZIP of the files and a list of their hashes. The same files always give the same bytes. `last` are files that name
 * the hashes of those before them.
 */
export async function zipOf(
  files: readonly NamedFile[],
  { at, last }: { at: number; last: readonly ((hashed: ClosedPeriod['files']) => NamedFile)[] },
): Promise<{ zip: FileBytes; sha256: string; files: ClosedPeriod['files'] }> {
  const whole = sha256.create();
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    whole.update(chunk);
    // The library uses its buffers again.
    chunks.push(new Uint8Array(chunk));
  });
  const hashed: ClosedPeriod['files'] = [];

  async function put({ name, rows, text }: NamedFile): Promise<void> {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = inUtc(at);
    zip.add(entry);
    const hash = sha256.create();
    for await (const bytes of piecesOf(text)) {
      hash.update(bytes);
      entry.push(bytes);
    }
    entry.push(new Uint8Array(), true);
    hashed.push({ name, rows, bytes: text.size, sha256: bytesToHex(hash.digest()) });
  }

  for (const file of files) await put(file);
  for (const fileOf of last) await put(fileOf([...hashed]));
  zip.end();
  return { zip: fileBytes(...chunks), sha256: bytesToHex(whole.digest()), files: hashed };
}

/** A ZIP has no time zone: every server writes the time in UTC. */
function inUtc(unix: number): Date {
  const at = new Date(unix * 1000);
  return new Date(
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  );
}

function isFile(path: string, name: string): boolean {
  return path === name || path === evidencePath(name);
}

/** Bytes of a ZIP that are read before the page may respond again. */
const INFLATED = 1 << 13;

export async function addReportedRowsOfZip(zip: FileBytes, reportedRows: ReportedRows): Promise<void> {
  await readLines(zip, (name) => reportedRowReader(name, reportedRows));
}

/** Ledger entries of earlier periods that are reported in this closed one. */
export async function readLateEntries(zip: FileBytes): Promise<LateEntry[]> {
  const entries: LateEntry[] = [];
  const take = ([list, , , , , asset = '', amount = '', at]: readonly string[]): void => {
    if (list === 'ledger' && isAmount(amount)) entries.push({ asset, amount, at: Number(at) });
  };
  await readLines(zip, (name) => (isFile(name, ADJUSTMENTS_FILE) ? take : null));
  return entries;
}

/** The verdict on each asset, from the summary of a closed period. */
export async function closingVerdictsIn(zip: FileBytes): Promise<Map<string, SumVerdict | null>> {
  const verdicts = new Map<string, SumVerdict | null>();
  const take = (cells: readonly string[]): void => {
    const [asset = ''] = cells;
    verdicts.set(asset, VERDICTS.find((verdict) => verdict === cells.at(-1)) ?? null);
  };
  await readLines(zip, (name) => (isFile(name, SUMMARY_FILE) ? take : null));
  return verdicts;
}

async function readLines(zip: FileBytes, takerOf: (name: string) => TakeLine | null): Promise<void> {
  const unzip = new Unzip((file) => {
    const takeLine = takerOf(file.name);
    if (takeLine === null) return;
    const take = lineReader(takeLine);
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      take(chunk, isLast);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for await (const bytes of piecesOf(zip, INFLATED)) unzip.push(bytes);
}

export async function addReportedRowsOfFiles(files: readonly NamedFile[], reportedRows: ReportedRows): Promise<void> {
  for (const { name, text } of files) {
    const learn = reportedRowReader(name, reportedRows);
    if (learn === null) continue;
    const take = lineReader(learn);
    for await (const bytes of piecesOf(text)) take(bytes, false);
  }
}

/** The cells of lines without a head, in steps. */
export async function* readCells(text: FileBytes): AsyncGenerator<string[][]> {
  let rows: string[][] = [];
  const take = lineReader((cells) => rows.push([...cells]), false);
  for await (const bytes of piecesOf(text)) {
    take(bytes, false);
    yield rows;
    rows = [];
  }
}

/** By file: list, id and state from the cells of a line. */
const STATED: Readonly<Record<string, (cells: readonly string[]) => readonly (string | undefined)[]>> = {
  ...Object.fromEntries(PERIOD_LISTS.map((list) => [`${list}.csv`, ([id, state]) => [list, id, state]])),
  [BEFORE_FILE]: (cells) => cells,
  [ADJUSTMENTS_FILE]: ([list, , id, , state]) => [list, id, state],
};

type TakeLine = (cells: readonly string[]) => void;

/** Reads the lines of a file with rows into `reportedRows`; null for other files. */
function reportedRowReader(name: string, reportedRows: ReportedRows): TakeLine | null {
  const stated = STATED[name.startsWith(EVIDENCE) ? name.slice(EVIDENCE.length) : name];
  if (!stated) return null;
  return (cells) => {
    const [list, id = '', state = ''] = stated(cells);
    const of = PERIOD_LISTS.find((each) => each === list);
    if (of) reportedRows[of].set(id, of === 'ledger' ? '' : state);
  };
}

function lineReader(take: TakeLine, hasHead = true): (bytes: Uint8Array, isLast: boolean) => void {
  const decoder = new TextDecoder();
  let isAtHead = hasHead;
  let rest = '';
  return (bytes, isLast) => {
    rest += decoder.decode(bytes, { stream: !isLast });
    const whole = wholeLines(rest);
    rest = rest.slice(whole.length);
    const lines = readCsv(whole) ?? [];
    for (const { cells } of isAtHead ? lines.slice(1) : lines) take(cells.map(unquoted));
    isAtHead &&= lines.length === 0;
  };
}

/** The text up to the last line end outside quotes. */
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
