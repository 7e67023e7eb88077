import v8 from 'node:v8';
import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { depositSchema, listOf, rawOf } from '#src/web/api/schemas.ts';
import { packed } from './packedRows.ts';
import type { Page } from '#src/web/api/paging/paging.ts';

type Fields = Record<string, unknown>;

const META = { malformed: [], has_more: true, next_cursor: 'c', requestId: 'req_1', date: 5, readAt: 6 };

function pageOf(data: Fields[]): Page<Fields> {
  return { ...META, data };
}

function isPacked(page: Page<Fields>): boolean {
  return !Object.hasOwn(page, 'data');
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\n', 'a\nb', '\u202e', '<script>', 'pending'),
);
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.double(),
  fc.constantFrom(0, -0, 1_790_000_000, null, true, false),
  fc.array(text, { maxLength: 2 }),
);
const name = fc.constantFrom('id', 'status', 'amount', '__proto__', '1', 'created_at', 'constructor');
/** Rows of the same fields, some columns of one kind and some of several. */
const rows = fc.uniqueArray(name, { minLength: 1 }).chain((names) => {
  const kinds = [value, text, fc.integer(), fc.double(), fc.constantFrom(0, -0)];
  const column = fc.oneof(fc.constantFrom<fc.Arbitrary<unknown>[]>(...kinds), value.map(fc.constant));
  return fc.tuple(...names.map(() => column)).chain((columns) =>
    fc.array(
      fc.tuple(...columns).map((values) => Object.fromEntries(values.map((each, at) => [names[at] ?? '', each]))),
      { maxLength: 12 },
    ),
  );
});

describe('packed rows', () => {
  test('read as they came, with the page around them', () => {
    fc.assert(
      fc.property(rows, (data) => {
        const page = packed(pageOf(data));
        expect({ ...page, data: [] }).toEqual(pageOf([]));
        expect(isPacked(page)).toBe(data.length > 0);
        expect(page.data.map(Object.entries)).toEqual(data.map(Object.entries));
      }),
    );
  });

  test('are the same objects as long as somebody holds them, and no row of another page', () => {
    const page = packed(pageOf([{ id: 'a' }, { id: 'b' }]));
    expect(isPacked(page)).toBe(true);
    const { data } = page;
    expect(page.data).toBe(data);
    expect(packed(pageOf([{ id: 'a' }, { id: 'b' }])).data[0]).not.toBe(data[0]);
  });

  test('are the same objects as long as somebody holds one of them', async () => {
    const page = packed(pageOf([{ id: 'a' }, { id: 'b' }]));
    const row = page.data[1];
    v8.setFlagsFromString('--expose-gc');
    const collect: () => void = vm.runInNewContext('gc');
    // What a weak reference gave stays until the task ends.
    await new Promise((resolve) => setTimeout(resolve));
    collect();
    expect(page.data[1]).toBe(row);
  });

  test('rows of other fields, or fields in another order, stay objects', () => {
    for (const data of [
      [{ id: 'a' }, { id: 'b', more: 1 }],
      [
        { id: 'a', status: 's' },
        { status: 's', id: 'b' },
      ],
      [],
    ])
      expect(isPacked(packed(pageOf(data)))).toBe(false);
  });

  test('rows that were read otherwise than they came keep what came', () => {
    const read = listOf(depositSchema)({
      data: [
        { id: 'dep_1', status: 7 },
        { id: 'dep_2', status: 7 },
      ],
    });
    const page = packed({ ...META, ...read });
    expect(page.data.map(rawOf)).toEqual([
      { id: 'dep_1', status: 7 },
      { id: 'dep_2', status: 7 },
    ]);
  });
});
