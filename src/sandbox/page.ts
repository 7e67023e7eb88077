import type { List } from '#src/api/contract.ts';

import type { ListQuery } from './listQuery.ts';
import { invalid } from './refusal.ts';
import type { Param, Queries, Row } from '#src/database/sql.ts';

export interface ListSource<R extends Row, T> {
  table: string;
  /** The select list; it must contain the id column. */
  columns: string;
  idColumn: keyof R & string;
  /** A condition that every row of the list meets. */
  always?: string;
  toObject: (row: R) => T;
}

const CURSOR = /^cur_([A-Za-z0-9_-]+)$/;

const cursorFor = (id: string) => `cur_${Buffer.from(id).toString('base64url')}`;

/** The id behind a cursor: ours, or an id itself (contract 4.5, rule 5). */
function idBehind(cursor: string): string {
  const coded = CURSOR.exec(cursor)?.[1];
  if (coded === undefined) return cursor;
  return Buffer.from(coded, 'base64url').toString('utf8').replaceAll('\0', '');
}

async function position<R extends Row, T>(q: Queries, source: ListSource<R, T>, account: string, query: ListQuery) {
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
 * One page by keyset on (account, …filters, created_at, seq): the last page costs what the first costs. With
 * ending_before, has_more and next_cursor speak of the reverse direction: the cursor continues as ending_before.
 */
export async function readPage<R extends Row, T>(
  q: Queries,
  source: ListSource<R, T>,
  account: string,
  query: ListQuery,
): Promise<List<T>> {
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
  // The table is named: created_at alone would be the selected text, and every row would be sorted, past the index.
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
