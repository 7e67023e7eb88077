import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { formatTime } from '#src/shared/time.ts';
import type { ListField, ListRow } from '#src/web/list/fields.tsx';
import type { CellContext } from './cellContext.ts';
import { drawCell, startsNewDay } from './listCells.tsx';
import { rowIndexer } from './rowIndex.ts';

const NOON = 1_795_262_400;
const DAY = 86_400;
const AT = formatTime(NOON, 'utc');

/** Numbers of the rows with a rule above them, for as many rows a day, newest day first. */
function ruledRows(...counts: number[]): number[] {
  const times = counts.flatMap((count, day) => Array.from({ length: count }, (_, nth) => NOON - day * DAY - nth));
  const data = times.map((created_at, at) => ({ id: `row${at}`, created_at }));
  const index = rowIndexer<(typeof data)[number]>()([{ data, malformed: [] }]);
  return data.flatMap((_, at) => (startsNewDay(index, at, 'utc') ? [at] : []));
}

test('a rule separates two days only if one of them has three rows or more', () => {
  expect(ruledRows(1, 1, 2, 2, 1)).toEqual([]);
  expect(ruledRows(1, 3, 1, 1)).toEqual([1, 4]);
  expect(ruledRows(3, 3)).toEqual([3]);
  expect(ruledRows(2, 3)).toEqual([2]);
});

/** The name of the link of a withdrawal's row, in the column of its time or of its recipient. */
function linkName(field: ListField<ListRow>, linkColumn: string, more: Partial<CellContext> = {}): string | undefined {
  const row: ListRow = {
    id: 'wd_1',
    asset: 'USDT',
    amount: '99.50',
    status: 'failed',
    chain: 'tron',
    address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    created_at: NOON,
  };
  const draw = () => 'not drawn here';
  const context: CellContext = {
    hrefOf: (id) => id,
    linkColumn,
    one: 'withdrawal',
    amountOf: ({ amount }) => amount,
    decimals: 2,
    zone: 'utc',
    amountsHidden: false,
    odd: { amount: draw, time: draw },
    ...more,
  };
  const of = { column: linkColumn, row, value: row[field.name], context, seen: false };
  return /<a [^>]*aria-label="([^"]*)"/.exec(renderToStaticMarkup(drawCell(field, row, of)))?.[1];
}

const TIME = { name: 'created_at', label: 'Created', kind: 'time' } as const;
const TO = { name: 'address', label: 'To', kind: 'address' } as const;

test('the link of a row is named by what it is, its amount, status and time', () => {
  expect(linkName(TIME, 'created')).toBe(`Withdrawal 99.50 USDT, failed, ${AT}`);
  expect(linkName(TO, 'address', { nameOf: () => 'Acme' })).toBe(`Withdrawal 99.50 USDT to Acme, failed, ${AT}`);
  expect(linkName(TIME, 'created', { amountsHidden: true })).toBe(`Withdrawal USDT, failed, ${AT}`);
});
