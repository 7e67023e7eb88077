import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { depositSchema, listOf } from '#src/api/schemas.ts';
import { parseExact, stringifyExact } from '#src/lib/exactJson.ts';
import { type Book, exportBook, readBookFile, type Statement } from '#src/remembered/reconcileBook.ts';
import { openReconcileStore } from '#src/remembered/reconcileStore.ts';
import { statedRow } from './reads.ts';
import { statementCsv } from './statementFile.ts';

const NUMBERS = ['12345678901234567890', '0.0000001', '7.00000000000000000001', '-0', '1.50', '-1E400'];

const item = (number: string, at: number) =>
  `{"id":"dep_${at}","status":${number},"asset":"BTC","chain":null,"received_amount":${number},"created_at":${number}}`;
const page = parseExact(`{"data":[${NUMBERS.map(item).join(',')}]}`);
const rows = listOf(depositSchema)(page).data.map(statedRow);
const statement: Statement = {
  book: 'b1',
  number: 1,
  asOf: 1_790_000_000,
  after: null,
  last: null,
  fresh: rows.slice(0, 2),
  late: rows.slice(2, 4),
  changed: rows.slice(4).map((row) => ({ id: row.id, was: 'pending', statement: 1, row })),
  givenUp: [],
  totals: [],
};
const book: Book = {
  id: 'b1',
  service: 'sandbox',
  account: 'a',
  name: 'Books',
  since: null,
  statements: 0,
  last: null,
  carried: [],
  ledger: null,
};

/** Every number of it in the file of a spreadsheet and in the one of JSON. */
function holdsDigits(kept: Statement): void {
  const csv = statementCsv(kept).slice(1);
  for (const [at, number] of NUMBERS.entries()) {
    expect(
      csv[at]
        ?.trimEnd()
        .split(',')
        .filter((cell) => cell === number),
    ).toHaveLength(3);
    expect(stringifyExact(kept, 2)).toContain(`"received_amount": ${number},\n`);
  }
}

test('a statement with numbers for amounts can be kept, and has their digits when it is read again', async () => {
  const store = openReconcileStore('exact-numbers');
  await store.add(book);
  expect(await store.close({ ...book, statements: 1 }, statement)).toBe(true);
  holdsDigits(await store.statement('b1', 1));
});

test('a book keeps them on its way through a file and into another browser', async () => {
  const read = readBookFile(exportBook({ ...book, statements: 1 }, [statement]));
  if ('fault' in read) throw new Error(read.fault);
  const store = openReconcileStore('another-browser');
  expect(await store.add(read.book, read.statements)).toBe(true);
  holdsDigits(await store.statement('b1', 1));
});
