import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { depositSchema, listOf } from '#src/shared/contract/rows.ts';
import { parseExact } from '#src/shared/json/exactJson.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { csvLine, EXPORTED_LISTS } from '#src/shared/export/exportColumns.ts';
import { isRow } from '#src/shared/export/exportFile.ts';
import { OtherFields, RawJson } from './OtherFields.tsx';

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const orNothing = (part: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), part);
const anyNumber = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,24}$/)),
    orNothing(digits(24).map((decimals) => `.${decimals}`)),
    orNothing(fc.tuple(fc.constantFrom('e', 'E+', 'e-'), digits(3)).map((parts) => parts.join(''))),
  )
  .map((parts) => parts.join(''));

/** The deposit of a list whose amount, status, time and one more field are a number, as JSON. */
function jsonWith(number: string): string {
  const fields = ['received_amount', 'status', 'created_at', 'confirmations'].map((name) => `"${name}":${number}`);
  return `{"id":"dep_1",${fields.join(',')}}`;
}

function rowWith(number: string) {
  const [row] = listOf(depositSchema)(parseExact(`{"data":[${jsonWith(number)}]}`)).data;
  if (!row) throw new Error('no row');
  return row;
}

/** Its cells in an export. */
function cellsWith(number: string, ...names: string[]): string {
  const item = parseExact(jsonWith(number));
  const columns = EXPORTED_LISTS.deposits.columns.filter(({ name }) => names.includes(name));
  return isRow(item) ? csvLine(columns, item, 'utc') : 'no row';
}

/** Each place where a row shows the number. */
function places(number: string): Record<string, string> {
  const row = rowWith(number);
  return {
    amount: renderToStaticMarkup(<Amount value={row.received_amount} />),
    status: `>${row.status}<`,
    time: renderToStaticMarkup(<Time unix={row.created_at} />),
    field: renderToStaticMarkup(
      <OtherFields record={row} except={['id', 'status', 'asset', 'chain', 'received_amount', 'created_at']} />,
    ),
  };
}

describe('a number where a text was stated keeps its digits', () => {
  const hold = (number: string) => {
    for (const [place, shown] of Object.entries(places(number))) expect(shown, place).toContain(`>${number}<`);
    const raw = renderToStaticMarkup(<RawJson value={rowWith(number)} />);
    expect(raw.split(`: ${number}`)).toHaveLength(1 + 4);
    const cells = cellsWith(number, 'id', 'status', 'received_amount', 'created_at');
    expect(cells).toBe(`dep_1,${number},${number},${number}\r\n`);
  };

  test.each(['12345678901234567890', '0.0000001', '7.00000000000000000001', '-0', '0.0'])('%s', (number) => {
    hold(number);
  });

  test('any number of JSON', () => {
    // A time of this century is shown as a time, and a long text clipped: both are tested elsewhere.
    const isPlain = (number: string) => number.length <= 40 && !/^\d{9,10}(\.0+)?$/.test(number);
    fc.assert(fc.property(anyNumber.filter(isPlain), hold));
  });
});

test('a time in seconds with zeros after the point is shown as a time, and exported unchanged', () => {
  const row = rowWith('1795228907.00');
  expect(row.created_at).toBe(1_795_228_907);
  expect(cellsWith('1795228907.00', 'created_at', 'created_at_utc', 'created_at_zoned')).toBe(
    '1795228907.00,2026-11-21T02:41:47Z,2026-11-21T02:41:47+00:00\r\n',
  );
});
