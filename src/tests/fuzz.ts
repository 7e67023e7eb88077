// Test support: hostile bodies, and what no answer to one may do.
import fc from 'fast-check';
import { expect } from 'vitest';
import * as v from 'valibot';
import type { Database } from '#src/server/database/sql.ts';
import { DEEP } from './depth.ts';

/** Random bodies of each endpoint, beside every one of `faultyBodies`. */
export const BODIES = DEEP ? 20_000 : 10;
export const FUZZ_TIMEOUT_MS = DEEP ? 3_600_000 : 120_000;

const NESTED = 9_000;
const TEXTS = [
  '',
  ' ',
  'a\0b',
  '\u{D800}',
  '\u202E',
  '💸',
  'x'.repeat(70_000),
  'x'.repeat(5_000),
  "'; drop table people.people; --",
  '__proto__',
  'constructor',
  '123456',
  '9'.repeat(40),
  'NaN',
];
/** Not as fc.jsonValue() makes them: objects whose conversion to text throws. */
const OBJECTS = ['{"toString":1,"valueOf":1}', '{"__proto__":null}', '{"length":-1}', '{"then":1}', '{"toJSON":1}'];
const OTHER_TYPES = [null, true, -1, 1.5, [], {}];
const BROKEN = ['', '[', '{"a":', '"', 'null', '0', '1e400', '\u{FEFF}{}', '['.repeat(NESTED) + ']'.repeat(NESTED)];

export const hostileText = fc.oneof(fc.constantFrom(...TEXTS), fc.string(), fc.string({ unit: 'binary' }));

/** Any JSON value, parsed. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(...OBJECTS).map((text): unknown => JSON.parse(text)),
);

/** Not an object, or nothing like the expected one. */
export const junkBody: fc.Arbitrary<string> = fc.oneof(
  fc.json(),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...BROKEN, ...OBJECTS),
);

/** The object with some members hostile or absent, at any depth, and sometimes one too many. */
export function spoiltBody(good: object): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.fromEntries(
    Object.entries(good).map(([name, value]: [string, unknown]) => {
      const isHolder = typeof value === 'object' && value !== null && !Array.isArray(value);
      const similar = isHolder ? fc.oneof(fc.constant(value), spoiltBody(value)) : fc.constant(value);
      return [name, fc.oneof({ weight: 3, arbitrary: similar }, { weight: 1, arbitrary: hostileValue })];
    }),
  );
  const more = fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.dictionary(hostileText, hostileValue));
  return fc.tuple(fc.record(members, { requiredKeys: [] }), more).map(([own, added]) => ({ ...added, ...own }));
}

const FAULTY_OBJECTS = OBJECTS.map((text): unknown => JSON.parse(text));
/** One of each kind in `npm test`. */
const FAULTY_VALUES: readonly unknown[] = DEEP
  ? [...TEXTS, ...FAULTY_OBJECTS, ...OTHER_TYPES]
  : ['', 'a\0b', '\u{D800}', 'x'.repeat(70_000), FAULTY_OBJECTS[0], null, -1];

/** A body as text, or an object to complete first. */
interface FuzzedBody {
  text: string;
  body: Record<string, unknown> | null;
}

/** Texts that are no JSON object, and the object with each member, at any depth, absent or with each faulty value. */
export function faultyBodies(good: object): FuzzedBody[] {
  return [...BROKEN.map((text) => ({ text, body: null })), ...withOneFault(good).map((body) => ({ text: '', body }))];
}

function withOneFault(good: object): Record<string, unknown>[] {
  const members: [string, unknown][] = Object.entries(good);
  return members.flatMap(([name, value]) => {
    const isHolder = typeof value === 'object' && value !== null && !Array.isArray(value);
    const values = [...FAULTY_VALUES, ...(isHolder ? withOneFault(value) : [])];
    const others = Object.fromEntries(members.filter(([other]) => other !== name));
    return [others, ...values.map((faulty) => ({ ...good, [name]: faulty }))];
  });
}

const envelopeSchema = v.strictObject({
  type: v.pipe(v.string(), v.nonEmpty()),
  code: v.pipe(v.string(), v.nonEmpty()),
  message: v.pipe(v.string(), v.nonEmpty()),
  request_id: v.pipe(v.string(), v.nonEmpty()),
});

/** A 5xx is a fault of the server, a 503 too: its database is there. */
export function expectWellFormed({ status, text }: { status: number; text: string }, asked: string): void {
  expect(status, `${asked}\n${text}`).toBeLessThan(500);
  if (status < 400) return;
  const answer: unknown = JSON.parse(text);
  const { error } = v.parse(v.looseObject({ error: v.unknown() }), answer);
  expect(v.is(envelopeSchema, error), `${asked}\n${text}`).toBe(true);
}

/**
 * Counts the rows of people and of the activity that committed transactions wrote, from now on. A refused request must not
 * add any.
 */
export async function countWrittenRows(database: Database): Promise<() => Promise<number>> {
  const tables = await database.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('people', 'activity')`,
  );
  expect(tables.length).toBeGreaterThan(6);
  const triggers = tables.map(
    ({ name }) => `create trigger counted after insert or update or delete on ${name}
      for each row execute function fuzz.note_row();`,
  );
  await database.script(`
    create schema fuzz;
    create table fuzz.written (rows bigint not null);
    insert into fuzz.written values (0);
    create function fuzz.note_row() returns trigger language plpgsql as
      $$ begin update fuzz.written set rows = rows + 1; return null; end $$;
    ${triggers.join('\n')}`);
  return async () => {
    const [row] = await database.query<{ rows: string }>('select rows::text from fuzz.written');
    return Number(row?.rows);
  };
}

/** Collects unhandled rejections, which would end a server. */
export function watchRejections(): { rejections: unknown[]; stop: () => void } {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  return { rejections, stop: () => void process.off('unhandledRejection', note) };
}
