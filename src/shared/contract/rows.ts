// Schemas of the service's answers. Tolerant: open fields pass, unknown fields stay, and amounts and times are never
// coerced: a number, null or a missing value reaches the screen, which shows that it is wrong.
import * as v from 'valibot';
import { isObject } from '#src/shared/answers.ts';
import { type PageEnd, pageEnd } from '#src/shared/paging/nextStep.ts';
import { textOrJson } from '#src/shared/text.ts';
import { timeAsCame } from '#src/shared/time.ts';

/** A word such as a status or an asset code: null when missing; anything but text becomes its JSON, so that it can be shown. */
export const word = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value): string | null => (value === undefined || value === null ? null : textOrJson(value))),
  ),
  null,
);
export const asSent = v.optional(v.unknown());
export const time = v.optional(v.pipe(v.unknown(), v.transform(timeAsCame)));
export const id = v.pipe(v.string(), v.nonEmpty());

export const depositSchema = v.looseObject({
  id,
  status: word,
  asset: word,
  chain: word,
  received_amount: asSent,
  created_at: time,
});
/** A deposit as read (2.3): `received_amount` and `created_at` may be anything. */
export type DepositRow = v.InferOutput<typeof depositSchema>;

export const withdrawalSchema = v.looseObject({
  id,
  status: word,
  asset: word,
  chain: word,
  amount: asSent,
  fee: asSent,
  address: word,
  tx_hash: word,
  created_at: time,
});
/** A withdrawal as read (2.2): amounts and times may be anything. */
export type WithdrawalRow = v.InferOutput<typeof withdrawalSchema>;

export const balanceSchema = v.looseObject({
  asset: v.pipe(v.string(), v.nonEmpty()),
  available: asSent,
  pending: asSent,
  locked: asSent,
  total: asSent,
  updated_at: time,
});
/** A balance as read (2.1): amounts and times may be anything. */
export type BalanceRow = v.InferOutput<typeof balanceSchema>;

export const ledgerEntrySchema = v.looseObject({
  id,
  asset: word,
  amount: asSent,
  created_at: time,
});
/** A ledger entry as read. The contract shows no field of it (2.6), so nothing else is required. */
export type LedgerEntryRow = v.InferOutput<typeof ledgerEntrySchema>;

const listSchema = v.looseObject({
  data: v.array(v.unknown()),
  has_more: v.optional(v.unknown()),
  next_cursor: v.optional(v.unknown()),
});

export interface ParsedList<T> extends PageEnd {
  readonly data: T[];
  /** Items without an id or of another shape. They aren't rows, but are counted and shown as JSON. */
  readonly malformed: unknown[];
}

/** The item that each row was read from. */
const items = new WeakMap<object, unknown>();

/** The item exactly as the service sent it, for a row that a parser here returned; the row itself if it has no known item. */
export function rawOf(row: object): unknown {
  return items.get(row) ?? row;
}

/** Whether parsing changed nothing. Then the item itself serves as the row, which halves a long list's memory. */
function isAsSent<T extends object>(row: T, item: unknown): item is T {
  return (
    isObject(item) &&
    Object.keys(row).length === Object.keys(item).length &&
    Object.entries(row).every(([name, value]) => item[name] === value)
  );
}

/** Parser of the list envelope (2.4); throws when `data` is no array. */
export function listOf<S extends v.GenericSchema<unknown, object>>(
  schema: S,
): (json: unknown) => ParsedList<v.InferOutput<S>> {
  return (json) => {
    const { data, has_more, next_cursor } = parseWith(listSchema)(json);
    return { ...rowsOf(schema, data), ...pageEnd({ has_more, next_cursor }) };
  };
}

function rowsOf<S extends v.GenericSchema<unknown, object>>(schema: S, from: readonly unknown[]) {
  const data: v.InferOutput<S>[] = [];
  const malformed: unknown[] = [];
  for (const item of from) {
    const row = v.safeParse(schema, item);
    if (!row.success) malformed.push(item);
    else if (isAsSent(row.output, item)) data.push(item);
    else {
      data.push(row.output);
      items.set(row.output, item);
    }
  }
  return { data, malformed };
}

/** Parser by a schema; throws with the place of the first fault. */
export function parseWith<S extends v.GenericSchema>(schema: S): (json: unknown) => v.InferOutput<S> {
  return (json) => {
    const result = v.safeParse(schema, json);
    if (result.success) {
      if (typeof result.output === 'object' && result.output !== null) items.set(result.output, json);
      return result.output;
    }
    const [issue] = result.issues;
    const place = v.getDotPath(issue);
    throw new TypeError(place === null ? 'not the object expected' : `"${place}" is missing or of another kind`);
  };
}

const parseBalance = parseWith(balanceSchema);

/** Parser of one balance (4.2); throws also for the balance of another asset. */
export function balanceOf(asset: string): (json: unknown) => BalanceRow {
  return (json) => {
    const balance = parseBalance(json);
    if (balance.asset !== asset) throw new TypeError('it is the balance of another asset than the one requested');
    return balance;
  };
}
