import {
  type ContractList,
  type ListFilters,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  LIMIT_MIN,
} from '#src/shared/contract/contract.ts';
import type { Param, Queries, SqlRow } from '#src/server/database/sql.ts';
import { invalid } from './outcome.ts';

export interface ListSource<R extends SqlRow, T> {
  table: string;
  /** The select list; it must contain the id column. */
  columns: string;
  idColumn: keyof R & string;
  /** Columns with a filter parameter of the same name. */
  filters: readonly (keyof ListFilters)[];
  timed: boolean;
  always?: string;
  toObject: (row: R) => T;
}

export function objectOf<O extends string>(object: O) {
  return <R extends { id: string; created_at: string }>({ id, created_at, ...row }: R) => ({
    id,
    object,
    ...row,
    created_at: unixSecondsOf(created_at),
  });
}

export async function findObject<R extends SqlRow, T>(
  q: Queries,
  { columns, table, idColumn, toObject }: ListSource<R, T>,
  account: string,
  id: string,
): Promise<T | null> {
  // PostgreSQL can't store or compare text with NUL.
  if (id.includes('\0')) return null;
  const [row] = await q.query<R>(`select ${columns} from ${table} where account = $1 and ${idColumn} = $2`, [
    account,
    id,
  ]);
  return row === undefined ? null : toObject(row);
}

const CURSOR = /^cur_([A-Za-z0-9_-]+)$/;

const cursorFor = (id: string) => `cur_${Buffer.from(id).toString('base64url')}`;

/** The id in a cursor: one of our cursors, or an id itself (contract 4.5, rule 5). */
function idBehind(cursor: string): string {
  const coded = CURSOR.exec(cursor)?.[1];
  if (coded === undefined) return cursor;
  return Buffer.from(coded, 'base64url').toString('utf8').replaceAll('\0', '');
}

async function position<R extends SqlRow, T>(q: Queries, source: ListSource<R, T>, account: string, query: ListQuery) {
  if (query.cursor === null) return null;
  const always = source.always === undefined ? '' : ` and ${source.always}`;
  const rows = await q.query<{ created_at: string; seq: string }>(
    `select created_at::text, seq::text from ${source.table} where account = $1 and ${source.idColumn} = $2${always}`,
    [account, idBehind(query.cursor.value)],
  );
  if (rows[0] === undefined) throw invalid(query.cursor.name, 'this cursor is not known.');
  return rows[0];
}

/**
 * One page by keyset on (account, …filters, created_at, seq), so the last page costs as much as the first. With
 * ending_before, has_more and next_cursor refer to the reverse direction: send the cursor as ending_before again.
 */
export async function queryPage<R extends SqlRow, T>(
  q: Queries,
  source: ListSource<R, T>,
  account: string,
  search: URLSearchParams,
): Promise<ContractList<T>> {
  const query = readListQuery(search, source);
  const place = await position(q, source, account, query);
  const reverse = query.cursor?.name === 'ending_before';
  const upward = query.ascending !== reverse;
  const params: Param[] = [account];
  const bind = (value: Param) => `$${params.push(value)}`;
  const where = ['account = $1', ...(source.always === undefined ? [] : [source.always])];
  for (const { column, value } of query.equal) where.push(`${column} = ${bind(value)}`);
  if (query.from !== null) where.push(`created_at >= ${bind(query.from)}::bigint`);
  if (query.until !== null) where.push(`created_at <= ${bind(query.until)}::bigint`);
  if (place !== null) {
    const after = `(${bind(place.created_at)}::bigint, ${bind(place.seq)}::bigint)`;
    where.push(`(created_at, seq) ${upward ? '>' : '<'} ${after}`);
  }
  const direction = upward ? 'asc' : 'desc';
  // Qualified by the table: created_at alone would be the selected text, so that every row would be sorted without the index.
  const rows = await q.query<R>(
    `select ${source.columns} from ${source.table} where ${where.join(' and ')}
     order by ${source.table}.created_at ${direction}, ${source.table}.seq ${direction} limit ${query.limit + 1}`,
    params,
  );
  const more = rows.length > query.limit;
  const page = rows.slice(0, query.limit);
  if (reverse) page.reverse();
  const edge = reverse ? page[0] : page.at(-1);
  return {
    object: 'list',
    data: page.map((row) => source.toObject(row)),
    has_more: more,
    next_cursor: more && edge !== undefined ? cursorFor(String(edge[source.idColumn])) : null,
  };
}

/** Converts our milliseconds, which the database returns as text, to the contract's Unix seconds. */
export function unixSecondsOf(milliseconds: string | number): number {
  return Math.floor(Number(milliseconds) / 1000);
}

type ListQuery = ReturnType<typeof readListQuery>;

const CURSORS = ['starting_after', 'ending_before'] as const;
const ALWAYS = ['limit', 'order', ...CURSORS];
const TIMES = ['created_after', 'created_before'];

function text(name: string, value: string): string {
  if (value === '') throw invalid(name, 'must not be empty.');
  if (value.length > 255) throw invalid(name, 'must not be longer than 255 characters.');
  if (value.includes('\0')) throw invalid(name, 'must not contain a NUL character.');
  return value;
}

function unixSeconds(name: string, value: string | undefined): bigint | null {
  if (value === undefined) return null;
  if (!/^-?\d{1,15}$/.test(value)) throw invalid(name, 'must be an integer, Unix time in seconds.');
  return BigInt(value);
}

function limitOf(value: string | undefined): number {
  if (value === undefined) return LIMIT_DEFAULT;
  const limit = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : 0;
  if (limit < LIMIT_MIN || limit > LIMIT_MAX)
    throw invalid('limit', `must be an integer from ${LIMIT_MIN} to ${LIMIT_MAX}.`);
  return limit;
}

function orderOf(value: string | undefined): boolean {
  if (value !== undefined && value !== 'asc' && value !== 'desc') throw invalid('order', 'must be asc or desc.');
  return value === 'asc';
}

function cursorOf(given: ReadonlyMap<string, string>) {
  const [name, other] = CURSORS.filter((known) => given.has(known));
  if (name === undefined) return null;
  if (other !== undefined) throw invalid(name, `must not be combined with ${other}.`);
  return { name, value: text(name, given.get(name) ?? '') };
}

/** Parses a list's parameters (contract 4.4, 4.5). An invalid or unknown parameter is a 400 that names it. */
export function readListQuery(
  search: URLSearchParams,
  { filters, timed }: { filters: readonly string[]; timed: boolean },
) {
  const known = new Set([...ALWAYS, ...filters, ...(timed ? TIMES : [])]);
  const given = new Map<string, string>();
  for (const [name, value] of search) {
    if (!known.has(name)) throw invalid(name, 'this list has no such parameter.');
    if (given.has(name)) throw invalid(name, 'must be given once.');
    given.set(name, value);
  }
  const after = unixSeconds('created_after', given.get('created_after'));
  const before = unixSeconds('created_before', given.get('created_before'));
  return {
    limit: limitOf(given.get('limit')),
    ascending: orderOf(given.get('order')),
    cursor: cursorOf(given),
    // The first and last included millisecond, as text because they may exceed exact numbers. The bounds themselves are
    // excluded, by the second that the objects show.
    from: after === null ? null : String((after + 1n) * 1000n),
    until: before === null ? null : String(before * 1000n - 1n),
    equal: filters.flatMap((column) => {
      const value = given.get(column);
      return value === undefined ? [] : [{ column, value: text(column, value) }];
    }),
  };
}
