import { LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN } from '#src/api/contract.ts';

import { invalid } from './refusal.ts';

export interface ListQuery {
  limit: number;
  ascending: boolean;
  /** The cursor as it was sent, and the name of its parameter. */
  cursor: { name: 'starting_after' | 'ending_before'; value: string } | null;
  /** Milliseconds, the first and the last that are inside; null without a bound. As text: beyond exact numbers. */
  from: string | null;
  until: string | null;
  /** Equality filters by column. */
  equal: { column: string; value: string }[];
}

const ALWAYS = ['limit', 'starting_after', 'ending_before', 'order'];
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

function cursorOf(given: ReadonlyMap<string, string>): ListQuery['cursor'] {
  const after = given.get('starting_after');
  const before = given.get('ending_before');
  if (after !== undefined && before !== undefined) {
    throw invalid('starting_after', 'must not be combined with ending_before.');
  }
  if (after !== undefined) return { name: 'starting_after', value: text('starting_after', after) };
  return before === undefined ? null : { name: 'ending_before', value: text('ending_before', before) };
}

/**
 * Reads the parameters of a list (contract 4.4, 4.5). `filters` maps parameters to columns; `timed` lists take the
 * time filters. Every fault is a 400 that names the parameter, one that the list does not have included.
 */
export function readListQuery(
  search: URLSearchParams,
  filters: Readonly<Record<string, string>> = {},
  timed = true,
): ListQuery {
  const known = new Set([...ALWAYS, ...Object.keys(filters), ...(timed ? TIMES : [])]);
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
    // The bounds themselves are left out, by the second that the objects show.
    from: after === null ? null : String((after + 1n) * 1000n),
    until: before === null ? null : String(before * 1000n - 1n),
    equal: Object.entries(filters).flatMap(([name, column]) => {
      const value = given.get(name);
      return value === undefined ? [] : [{ column, value: text(name, value) }];
    }),
  };
}
