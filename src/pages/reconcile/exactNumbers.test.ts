import { expect, test } from 'vitest';
import { depositSchema, listOf } from '#src/api/schemas.ts';
import { partsOf, type WholeStatement } from '#src/api/statements.ts';
import { COLLECTIONS } from '#src/api/teamContract.ts';
import { parseExact, stringifyExact } from '#src/lib/exactJson.ts';
import { statedRow } from './reads.ts';
import { statementCsv, statementJson } from './statementFile.ts';

const NUMBERS = ['12345678901234567890', '0.0000001', '7.00000000000000000001', '-0', '1.50', '-1E400'];

const item = (number: string, at: number) =>
  `{"id":"dep_${at}","status":${number},"asset":"BTC","chain":null,"received_amount":${number},"created_at":${number}}`;
const page = parseExact(`{"data":[${NUMBERS.map(item).join(',')}]}`);
const rows = listOf(depositSchema)(page).data.map(statedRow);
const whole: WholeStatement = {
  statement: {
    book: 'b1',
    number: 1,
    closing: 'closing_1',
    parts: 1,
    asOf: 1_790_000_000,
    after: null,
    last: null,
    counts: { fresh: 2, late: 2, changed: 2, givenUp: 0, carried: 0 },
    totals: [],
  },
  fresh: rows.slice(0, 2),
  late: rows.slice(2, 4),
  changed: rows.slice(4).map((row) => ({ id: row.id, was: 'pending', statement: 1, row })),
  givenUp: [],
  carried: [],
};

/** Every number of it in the file of a spreadsheet and in the one of JSON. */
function holdsDigits(kept: WholeStatement): void {
  const csv = statementCsv(kept).slice(1);
  for (const [at, number] of NUMBERS.entries()) {
    expect(
      csv[at]
        ?.trimEnd()
        .split(',')
        .filter((cell) => cell === number),
    ).toHaveLength(3);
    expect(statementJson(kept)).toContain(`"received_amount": ${number},\n`);
  }
}

test('a statement with numbers for amounts has their digits, here and on its way to the server and back', () => {
  holdsDigits(whole);
  const [part] = partsOf('closing_1', whole);
  const kept = COLLECTIONS['statement-parts'].check(parseExact(stringifyExact(part)));
  if ('why' in kept) throw new Error(kept.why);
  const back = COLLECTIONS['statement-parts'].check(parseExact(stringifyExact(kept.value)));
  if ('why' in back) throw new Error(back.why);
  holdsDigits({ ...whole, ...back.value });
});

test('rows that do not fit in one part are cut into several, in their order, none lost', () => {
  const many = Array.from({ length: 9_000 }, (_, at) => statedRow({ ...deposit, id: `dep_${at}` }));
  const parts = partsOf('closing_1', { ...whole, fresh: many });
  expect(parts.length).toBeGreaterThan(1);
  for (const [at, part] of parts.entries()) {
    expect(part.part).toBe(at);
    expect(new TextEncoder().encode(stringifyExact(part)).length).toBeLessThan(1_000_000);
    expect(COLLECTIONS['statement-parts'].check(part)).not.toHaveProperty('why');
  }
  expect(parts.flatMap(({ fresh }) => fresh)).toEqual(many);
  expect(parts.flatMap(({ late }) => late)).toEqual(whole.late);
  expect(partsOf('closing_1', { fresh: [], late: [], changed: [], givenUp: [], carried: [] })).toEqual([]);
});

const deposit = {
  id: '',
  status: 'completed',
  asset: 'BTC',
  chain: 'bitcoin',
  received_amount: '0.5',
  created_at: 1_790_000_000,
};
