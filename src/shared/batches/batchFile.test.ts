import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BATCH_COLUMNS, BATCH_TEMPLATE, batchFileText, readBatchBytes, readBatchFile } from './batchFile.ts';

const HEAD = 'recipient,address,asset,chain,amount,reference';

function table(text: string, comma: Parameters<typeof readBatchFile>[1] = null) {
  const file = readBatchFile(text, comma);
  if (file.kind !== 'table') throw new Error('A question');
  return file;
}

function messages(text: string, comma: Parameters<typeof readBatchFile>[1] = null): string[] {
  return table(text, comma).faults.map(({ line, column, message }) =>
    [line, column, message].filter((part) => part !== null).join(' '),
  );
}

test('columns are found by name in any order, with any separator, BOM and line ends', () => {
  const row = { recipient: 'Acme', address: '', asset: 'USDT', chain: 'tron', amount: '5.50', reference: 'INV-7' };
  for (const separator of [',', ';', '\t']) {
    const names = ['Amount', 'chain', ' ASSET ', 'reference', 'recipient'].join(separator);
    const cells = ['5.50', 'tron', 'USDT', '"INV-7"', 'Acme'].join(separator);
    expect(table(`\uFEFF${names}\r\n${cells}\r\n`)).toEqual({ kind: 'table', rows: [{ ...row, line: 2 }], faults: [] });
  }
});

test('lines are counted as editors count them, with empty ones', () => {
  const text = `${HEAD}\n\nAcme,,USDT,tron,1,\n,,,,,\nBerta,,USDT,tron,2,"two\nlines"\nCarla,,USDT,tron,x,`;
  expect(table(text).rows.map(({ line }) => line)).toEqual([3, 5, 7]);
  expect(messages(text)).toEqual(['7 amount Use only digits and one point.']);
});

test('a file written from rows is read back unchanged', () => {
  // Cells are trimmed, and a lone surrogate isn't text.
  const text = fc
    .string({ unit: fc.constantFrom(...Array.from('=+-@\'",;\t a1.é')), maxLength: 12 })
    .map((cell) => cell.trim());
  const amount = fc.tuple(fc.nat(9_999), fc.nat(99)).map(([whole, rest]) => `${whole + 1}.${rest}`);
  const row = fc.record({
    recipient: text,
    address: fc.stringMatching(/^[a-zA-Z0-9]{20}$/),
    asset: fc.constantFrom('USDT', 'BTC'),
    chain: fc.constant('tron'),
    amount,
    reference: text,
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
      const read = table(batchFileText(rows));
      expect(read.faults).toEqual([]);
      expect(read.rows).toEqual(rows.map((each, at) => ({ ...each, line: at + 2 })));
    }),
  );
});

test('the template can be read', () => {
  expect(table(BATCH_TEMPLATE)).toMatchObject({ faults: [], rows: [{ recipient: 'Acme Hosting' }, { amount: '99' }] });
});

describe('the whole file is refused', () => {
  test.each([
    ['', 'The file is empty.'],
    ['\uFEFF \n', 'The file is empty.'],
    [
      'Acme,USDT,tron,5',
      `The first line must name the columns: recipient, address, asset, chain, amount and reference. Download the template.`,
    ],
    [HEAD, 'There are no payments below the column names.'],
    [`${HEAD}\n"Acme,,USDT,tron,5,`, 'A quote in this file is never closed.'],
    [`${HEAD}\n${'Acme,,USDT,tron,5,\n'.repeat(501)}`, 'The file has 501 payments. A batch can have 500.'],
    [`${HEAD}\n${'x'.repeat(200_000)}`, 'The file is longer than 200,000 characters.'],
    ['asset,chain,amount\nUSDT,tron,5', 'A column “recipient” or “address” is missing.'],
    ['recipient,asset,chain\nAcme,USDT,tron', 'The column “amount” is missing.'],
    ['recipient,asset,chain,amount,amount\nA,USDT,tron,5,5', 'There are two columns “amount”.'],
    ['recipient,asset,chain,amount,memo\nA,USDT,tron,5,5', 'There is no column “memo” here. Rename it, or delete it.'],
    ['recipient,asset,chain,amount,\nA,USDT,tron,5,', 'A column has no name. Name it, or delete it.'],
  ])('%j', (text, message) => {
    expect(table(text)).toMatchObject({ rows: [] });
    expect(messages(text)).toEqual([message]);
  });

  test('500 payments fit', () => {
    expect(table(`${HEAD}\n${'Acme,,USDT,tron,5,\n'.repeat(500)}`).rows).toHaveLength(500);
  });
});

test('a row with too few or too many cells, and text after a closing quote, are faults', () => {
  const text = `${HEAD}\nAcme,,USDT,tron,1,000,x\nAcme,,USDT,tron,5\n"Ac"me,,USDT,tron,5,\nAcm\uFFFD,,USDT,tron,5,`;
  expect(messages(text)).toEqual([
    '2 It has 7 cells for 6 columns. Is a separator in it without quotes?',
    '3 It has 5 cells for 6 columns. Is a separator missing?',
    '4 There is text after a closing quote.',
    '5 A character of it is lost. Save the file as “CSV UTF-8”.',
  ]);
  expect(table(text).rows).toEqual([]);
});

describe('amounts', () => {
  const of = (...amounts: string[]) =>
    `recipient;asset;chain;amount\n${amounts.map((each) => `A;USDT;tron;${each}`).join('\n')}`;

  test('only plain decimals are accepted', () => {
    expect(messages(of('1E+05', '1.000,50', '1 250.50', '-5', '0', '', '.5', '05', '0x10', '٣'))).toEqual([
      '2 amount Write the amount out, without an exponent.',
      '3 amount The comma can’t stay: type nothing between thousands, and a point before the decimals.',
      '4 amount Write it as 1250.50.',
      '5 amount Amount must be positive: leave out the minus sign.',
      '6 amount The amount must be more than zero.',
      '7 amount Enter an amount.',
      '8 amount Put a 0 before the point.',
      '9 amount Remove the leading zeros.',
      '10 amount This is a hexadecimal number. Type a decimal amount.',
      '11 amount Use the digits 0 to 9 of a plain keyboard.',
    ]);
    expect(table(of('5', '0.000000000000000001', '12.50')).rows.map(({ amount }) => amount)).toEqual([
      '5',
      '0.000000000000000001',
      '12.50',
    ]);
  });

  test('an ambiguous comma gives one question, with the first three amounts read both ways', () => {
    expect(readBatchFile(of('5', '1,250', '12,5', '1,000.50', '2,000'), null)).toEqual({
      kind: 'question',
      sign: 'comma',
      samples: [
        { line: 3, text: '1,250', decimals: '1.250', thousands: '1250' },
        { line: 4, text: '12,5', decimals: '12.5', thousands: null },
        { line: 5, text: '1,000.50', decimals: null, thousands: '1000.50' },
      ],
    });
  });

  test('the answer applies to the whole file, and an amount that does not fit is a fault', () => {
    const text = of('1,250', '5', '7.5', '1.250', '1,000.50');
    expect(
      table(text, 'decimals')
        .rows.map(({ amount }) => amount)
        .slice(0, 2),
    ).toEqual(['1.250', '5']);
    expect(messages(text, 'decimals')).toEqual([
      '4 amount It has a point, but the commas of this file are decimal commas.',
      '5 amount It has a point, but the commas of this file are decimal commas.',
      '6 amount It has a point, but the commas of this file are decimal commas.',
    ]);
    expect(messages(text, 'thousands')).toEqual([]);
    expect(table(text, 'thousands').rows.map(({ amount }) => amount)).toEqual(['1250', '5', '7.5', '1.250', '1000.50']);
    expect(messages(of('12,5', '1,25,000'), 'thousands')).toHaveLength(2);
  });

  describe('points, if all amounts may have them between thousands', () => {
    const whole = fc.integer({ min: 1, max: 999 });
    const rest = fc.integer({ min: 0, max: 999 }).map((digits) => String(digits).padStart(3, '0'));
    const amounts = fc.array(fc.tuple(whole, rest), { minLength: 1, maxLength: 5 });
    const written = (parts: readonly (readonly [number, string])[]): string[] => parts.map((part) => part.join('.'));

    test('give a question, except between commas', () => {
      fc.assert(
        fc.property(amounts, (parts) => {
          const text = of(...written(parts));
          const question = {
            kind: 'question',
            sign: 'point',
            samples: parts.slice(0, 3).map(([before, after], at) => ({
              line: at + 2,
              text: `${before}.${after}`,
              decimals: `${before}.${after}`,
              thousands: `${before}${after}`,
            })),
          };
          expect(readBatchFile(text, null)).toEqual(question);
          expect(readBatchFile(text.replaceAll(';', '\t'), null)).toEqual(question);
          expect(table(text.replaceAll(';', ',')).rows.map(({ amount }) => amount)).toEqual(written(parts));
        }),
      );
    });

    test('are read as the person answered', () => {
      fc.assert(
        fc.property(amounts, (parts) => {
          const text = of(...written(parts));
          expect(table(text, 'decimals').rows.map(({ amount }) => amount)).toEqual(written(parts));
          expect(table(text, 'thousands').rows.map(({ amount }) => amount)).toEqual(parts.map((part) => part.join('')));
        }),
      );
    });

    test('give no question if one amount has another form', () => {
      for (const other of ['5', '7.5', '1.2500', '1000.000', '0.000000000000000001'])
        expect(table(of('1.250', other)).rows.map(({ amount }) => amount)).toEqual(['1.250', other]);
      expect(table(of('0.250', '0.001')).rows.map(({ amount }) => amount)).toEqual(['0.250', '0.001']);
    });

    test('an amount that does not fit the answer is a fault', () => {
      expect(table(of('1.250', '0.250'), 'decimals').faults).toEqual([]);
      expect(messages(of('1.250', '0.250'), 'thousands')).toEqual([
        '3 amount It can’t have points between thousands, as the rest of this file does.',
      ]);
    });
  });

  test('any text is accepted digit by digit as an amount, or refused', () => {
    const anyText = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789.,eE+-x ')),
      minLength: 1,
      maxLength: 12,
    });
    const twoWays = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom('.', ','), fc.constantFrom('125', '5'));
    const cell = fc.oneof(
      anyText,
      twoWays.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(cell, fc.constantFrom(null, 'decimals' as const, 'thousands' as const), (text, comma) => {
        const file = readBatchFile(`recipient;asset;chain;amount\nA;USDT;tron;"${text}"`, comma);
        if (file.kind === 'question' || file.faults.length > 0) return;
        const amount = file.rows[0]?.amount ?? '';
        expect(amount).toMatch(/^(?:0|[1-9]\d*)(?:\.\d+)?$/);
        const digits = (of: string): string => of.replaceAll(/\D/g, '');
        expect(digits(amount)).toBe(digits(text));
        const plain = text.trim();
        const thousands = /^[1-9]\d{0,2}\.\d{3}$/.test(plain) ? plain.replace('.', '') : plain.replaceAll(',', '');
        const decimals = plain.replace(',', '.');
        expect(amount).toBe(comma === null ? plain : { decimals, thousands }[comma]);
      }),
    );
  });
});

test('files that are not UTF-8 text are refused', () => {
  expect(readBatchBytes(new TextEncoder().encode('a;é'))).toEqual({ text: 'a;é' });
  expect(readBatchBytes(Uint8Array.of(0x61, 0xe9))).toHaveProperty('problem');
  expect(readBatchBytes(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0))).toHaveProperty('problem');
});

test('the header of a written file names every column', () => {
  expect(batchFileText([])).toBe(`\uFEFF${BATCH_COLUMNS.join(',')}\r\n`);
});
