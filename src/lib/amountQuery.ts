import { isAmount } from './amount.ts';
import { sameAmount } from './operations/compare.ts';

/** An amount that somebody looks for. */
export interface AmountQuery {
  /** A decimal string. */
  amount: string;
  /** null: of any asset. */
  asset: string | null;
}

const AFTER = /^(?!0x)([\d.,' ]*\d)\s*([a-z][a-z0-9]{1,11})?$/i;
const BEFORE = /^([a-z][a-z0-9]{1,11})\s+([\d.,' ]*\d)$/i;

/** "0.5", "0.5 ETH", "eth 0.5", "1,250.50 USDT"; null for anything else. */
export function amountQuery(text: string): AmountQuery | null {
  const after = AFTER.exec(text);
  const before = BEFORE.exec(text);
  const amount = plainAmount(after?.[1] ?? before?.[2] ?? '');
  return amount === null ? null : { amount, asset: after?.[2] ?? before?.[1] ?? null };
}

/** A comma is between thousands where three digits follow each, else before decimals. */
export function plainAmount(typed: string): string | null {
  const text = typed.replace(/[' ]/g, '');
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  const plain = (grouped ? text.replaceAll(',', '') : text.replace(',', '.')).replace(/^\./, '0.');
  return isAmount(plain) ? plain : null;
}

/** The field of a payment that has this value, however many zeros either is written with. */
export function fieldOfAmount(row: Record<string, unknown>, { amount, asset }: AmountQuery): string | undefined {
  const { asset: its } = row;
  if (asset !== null && (typeof its !== 'string' || its.toLowerCase() !== asset.toLowerCase())) return undefined;
  return ['amount', 'received_amount'].find((field) => sameAmount(row[field], amount));
}
