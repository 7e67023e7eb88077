// What the journal's rows are made of: ledger entries, or completed payments if the service has no ledger.
import { isAmount } from '#src/shared/amount.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { subtract } from '#src/shared/money.ts';
import type { Movement } from './movement.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { STATEMENT_LINES, statementLineOf } from './ledgerMoves.ts';
import { sourceOf } from '#src/shared/ledgerSource.ts';
import { fileBytes, type FileBytes, piecesOf } from './lines.ts';
import { periodRowAmount, type AnyRow } from './periodRows.ts';

/** Null if the entry names no asset, amount or time: it is in no period then. */
export function movementOf(entry: AnyRow): Movement | null {
  const { id, asset, amount, created_at: at } = entry;
  if (asset === null || !isAmount(amount) || !isPlausibleTime(at)) return null;
  const type = typeof entry['type'] === 'string' ? entry['type'] : '';
  return { at, asset, amount, source: sourceOf(entry) ?? id, kind: statementLineOf(entry), type };
}

function isCompleted(status: unknown): boolean {
  return typeof status === 'string' && toneOf(status) === 'proof';
}

/** A completed payment, and a withdrawal's fee; nothing for others. */
export function movementsOfPayment(list: 'deposits' | 'withdrawals', row: AnyRow): Movement[] {
  return isCompleted(row['status']) ? paymentMovements(list, row) : [];
}

/** A payment's movements that its statement, with the status `stated`, doesn't include: its completion or its reversal. */
export function movementsSince(stated: string | null, list: 'deposits' | 'withdrawals', row: AnyRow): Movement[] {
  if (!isCompleted(stated)) return movementsOfPayment(list, row);
  if (isCompleted(row['status'])) return [];
  return paymentMovements(list, row).map((moved) => ({ ...moved, amount: subtract('0', moved.amount) }));
}

function paymentMovements(list: 'deposits' | 'withdrawals', row: AnyRow): Movement[] {
  const { id, asset, created_at: at } = row;
  const amount = periodRowAmount(list, row);
  if (asset === null || !isAmount(amount) || !isPlausibleTime(at)) return [];
  const moved = { at, asset, source: id, type: '' };
  if (list === 'deposits') return [{ ...moved, kind: list, amount }];
  const fee = row['fee'];
  const movement: Movement = { ...moved, kind: list, amount: subtract('0', amount) };
  return isAmount(fee) ? [movement, { ...moved, kind: 'fees', amount: subtract('0', fee) }] : [movement];
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' };
const ESCAPED = new Map(Object.entries(ESCAPES).map(([character, written]) => [written, character]));

/** A line for each of 300,000 entries: JSON would take as long as reading them. */
export function movementLine({ at, asset, amount, source, kind, type }: Movement): string {
  return `${at}\t${kind ?? ''}\t${amount}\t${escaped(asset)}\t${escaped(source)}\t${escaped(type)}\n`;
}

function escaped(text: string): string {
  return /^[\w-]*$/.test(text) ? text : text.replaceAll(/[\\\t\n]/g, (character) => ESCAPES[character] ?? character);
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\[\\tn]/g, (written) => ESCAPED.get(written) ?? written) : text;
}

function movementIn(line: string): Movement {
  const [at, kind, amount = '', asset = '', source = '', type = ''] = line.split('\t');
  return {
    at: Number(at),
    asset: unescaped(asset),
    amount,
    source: unescaped(source),
    kind: STATEMENT_LINES.find((each) => each === kind) ?? null,
    type: unescaped(type),
  };
}

/** In steps, so that the page stays responsive. */
export async function* readMovements(lines: FileBytes): AsyncGenerator<Movement[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of piecesOf(lines)) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield parts.map(movementIn);
  }
}

/** The same lines, oldest first. */
export async function movementsByTime(lines: FileBytes): Promise<FileBytes> {
  const all: Movement[] = [];
  for await (const movements of readMovements(lines)) all.push(...movements);
  const sorted = all.sort((a, b) => a.at - b.at);
  return fileBytes(sorted.map(movementLine).join(''));
}
