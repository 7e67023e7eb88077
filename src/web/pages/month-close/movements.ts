// What the journal's rows are made of: ledger entries, or completed payments if the service has no ledger.
import { isAmount } from '#src/shared/amount.ts';
import { parseJson } from '#src/shared/answers.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { subtract } from '#src/shared/money.ts';
import type { Movement } from '#src/shared/statement/movement.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { lineOf } from '#src/web/resources/ledgerMoves.ts';
import { sourceOf } from '#src/web/resources/ledgerSource.ts';
import { piecesOf } from '#src/web/storage/blobs.ts';
import { amountOf, type AnyRow } from './rows.ts';

/** Null if the entry names no asset, amount or time: it is in no period then. */
export function movementOf(entry: AnyRow): Movement | null {
  const { id, asset, amount, created_at: at } = entry;
  if (asset === null || !isAmount(amount) || !isPlausibleTime(at)) return null;
  const type = typeof entry['type'] === 'string' ? entry['type'] : '';
  return { at, asset, amount, source: sourceOf(entry) ?? id, kind: lineOf(entry), type };
}

export function isCompleted(status: unknown): boolean {
  return typeof status === 'string' && toneOf(status) === 'proof';
}

/** A completed payment, and a withdrawal's fee; nothing for others. */
export function movementsOfPayment(list: 'deposits' | 'withdrawals', row: AnyRow): Movement[] {
  const { id, asset, created_at: at } = row;
  const amount = amountOf(list, row);
  if (!isCompleted(row['status']) || asset === null || !isAmount(amount) || !isPlausibleTime(at)) return [];
  const moved = { at, asset, source: id, type: '' };
  if (list === 'deposits') return [{ ...moved, kind: list, amount }];
  const fee = row['fee'];
  const movement: Movement = { ...moved, kind: list, amount: subtract('0', amount) };
  return isAmount(fee) ? [movement, { ...moved, kind: 'fees', amount: subtract('0', fee) }] : [movement];
}

export function movementLine({ at, asset, amount, source, kind, type }: Movement): string {
  return `${stringifyExact([at, asset, amount, source, kind, type])}\n`;
}

type Line = [number, string, string, string, Movement['kind'], string];

/** Lines are written by movementLine() of this page, and nobody else. */
function isLine(value: unknown): value is Line {
  return Array.isArray(value) && value.length === 6;
}

/** In steps, so that the page stays responsive. */
export async function* readMovements(lines: Blob): AsyncGenerator<Movement[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of piecesOf(lines)) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield parts.map((text): Movement => {
      const line = parseJson(text);
      if (!isLine(line)) throw new Error('A movement could not be read back.');
      const [at, asset, amount, source, kind, type] = line;
      return { at, asset, amount, source, kind, type };
    });
  }
}
