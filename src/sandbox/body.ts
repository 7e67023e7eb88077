import { invalid } from './outcome.ts';

export type JsonObject = Record<string, unknown>;

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
// Half of a surrogate pair has no bytes in UTF-8, and NUL has no place in the database.
const UNSTORABLE = /[\p{Cs}\0]/u;

/** The JSON object of a body (contract 4); a 400 naming the header or the body otherwise. */
export function readJsonObject(bytes: Uint8Array, contentType: string | null): JsonObject {
  const kind = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (kind !== 'application/json') throw invalid('Content-Type', 'must be application/json.');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('body', 'must be valid JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('body', 'must be a JSON object.');
  }
  return Object.fromEntries(Object.entries(value));
}

/** A field that is a string of 1 to `max` characters. */
export function stringField(body: JsonObject, name: string, max: number): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined || value === null) throw invalid(name, 'is required.');
  if (typeof value !== 'string') throw invalid(name, 'must be a string.');
  if (value.trim() === '') throw invalid(name, 'must not be empty.');
  if (value.length > max) throw invalid(name, `must not be longer than ${max} characters.`);
  if (UNSTORABLE.test(value)) throw invalid(name, 'contains a character that cannot be stored.');
  return value;
}

/** A decimal string above zero, written plainly: no sign, no exponent, no needless leading zero. */
export function amountField(body: JsonObject, name: string): string {
  const value = stringField(body, name, 200);
  if (!DECIMAL.test(value)) throw invalid(name, 'must be a plain decimal string such as "12.5".');
  if (/^[0.]*$/.test(value)) throw invalid(name, 'must be greater than zero.');
  return value;
}

export function decimalsOf(amount: string): number {
  const point = amount.indexOf('.');
  return point === -1 ? 0 : amount.length - point - 1;
}
