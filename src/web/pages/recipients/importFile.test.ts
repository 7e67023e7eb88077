import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImportFile, linesOfTable, readImport, toCsv } from './importFile.ts';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const BTC = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const ACME = { name: 'Acme', chain: 'ethereum', address: ETH };
const BETA = { name: 'Beta', chain: 'bitcoin', address: BTC };

function read(text: string): ImportFile {
  return readImport(new TextEncoder().encode(text));
}

function linesIn(file: ImportFile) {
  return 'lines' in file ? file.lines : [];
}

/** The result as the person sees it. */
function notesIn(file: ImportFile) {
  return 'notes' in file ? file.notes.map(({ text }) => text) : [];
}

test.each([
  ['', 'empty'],
  ['{"entries":', 'whole JSON'],
  ['{"rows":[]}', 'entries'],
  ['[1', 'whole JSON'],
  ['who,where\nA,B', 'needs columns for name, chain and address'],
  ['name,chain,address\n"A,B,C', 'quote'],
  ['PK\u0003\u0004\0\0', 'not a text file'],
])('%j is no file of recipients', (text, problem) => {
  expect(read(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('line breaks in a reference are removed', () => {
  expect(linesIn(read(`name,chain,address,reference\nAcme,ethereum,${ETH},"Contract\r\n 7"`))).toMatchObject([
    { reference: 'Contract 7' },
  ]);
  expect(linesIn(read(JSON.stringify([{ ...ACME, reference: 'a\n\nb' }])))).toMatchObject([{ reference: 'a b' }]);
});

describe('files from spreadsheets', () => {
  test('spaces, tabs and no-break spaces at the ends of cells are dropped', () => {
    const text = `\u00A0Name ,\tchain\u00A0, address\n Acme\u00A0,ethereum\t,\u00A0 ${ETH}\u202F\n`;
    expect(linesIn(read(text))).toMatchObject([ACME]);
    expect(linesIn(read(JSON.stringify([{ ...ACME, address: ` ${ETH}\t` }])))).toMatchObject([ACME]);
  });

  test.each([',', ';', '\t', '|'])('cells may be separated by %j, whatever a title has in it', (separator) => {
    const rows = [['name', 'chain', 'address'], Object.values(ACME)].map((cells) => cells.join(separator));
    expect(linesIn(read(`${rows.join('\n')}\n`))).toMatchObject([ACME]);
    expect(linesIn(read(`Suppliers, checked; by Ana | and Ben, all\n${rows.join('\n')}`))).toMatchObject([
      { ...ACME, line: 3 },
    ]);
  });

  test.each(['sep=;\r\n', '"sep=;"\r\n', '\uFEFFSEP=;\n'])('a first line of %j names the separator', (first) => {
    expect(linesIn(read(`${first}name;chain;address\nAcme;ethereum;${ETH}`))).toMatchObject([{ ...ACME, line: 3 }]);
    expect(notesIn(read(`${first}name;chain;address\nAcme;ethereum;${ETH}`))).toEqual([]);
  });

  test('lines above the column names are left out, and the review says so', () => {
    const file = read(`Suppliers\n"as of\n1 October";;\n\nname;chain;address\nAcme;ethereum;${ETH}`);
    expect(linesIn(file)).toMatchObject([{ ...ACME, line: 6 }]);
    expect(notesIn(file)).toEqual(['2 lines above the column names are left out.']);
  });

  test('blank lines, and blank cells at the end of a line, are ignored', () => {
    const text = `name;chain;address\n;;\nAcme;ethereum;${ETH};; \n;;;\n`;
    expect(linesIn(read(text))).toMatchObject([{ ...ACME, fault: null }]);
  });

  test('a line with more cells than column names is refused', () => {
    const text = `name,chain,address\nAcme, Ltd,ethereum,${ETH}`;
    expect(linesIn(read(text))[0]?.fault).toContain('more cells');
  });
});

describe('characters', () => {
  const text = `name,chain,address\nMüller & Søn,bitcoin,${BTC}\n`;
  const MUELLER = { ...BETA, name: 'Müller & Søn' };

  test('UTF-8 is read without a note, with or without a byte order mark', () => {
    for (const file of [read(text), read(`\uFEFF${text}`)]) {
      expect(linesIn(file)).toMatchObject([MUELLER]);
      expect(notesIn(file)).toEqual([]);
    }
  });

  test('a file that isn’t UTF-8 is read as Windows-1252, and the review says so', () => {
    const file = readImport(Uint8Array.from(text, (character) => character.charCodeAt(0)));
    expect(linesIn(file)).toMatchObject([MUELLER]);
    expect(notesIn(file)).toEqual([expect.stringContaining('Windows-1252')]);
  });

  test.each(['little', 'big'])('UTF-16, which spreadsheets call Unicode, %s end first', (order) => {
    const units = Uint16Array.from(`\uFEFF${text}`, (character) => character.charCodeAt(0));
    const bytes = new Uint8Array(units.length * 2);
    const view = new DataView(bytes.buffer);
    for (const [at, unit] of units.entries()) view.setUint16(at * 2, unit, order === 'little');
    expect(linesIn(readImport(bytes))).toMatchObject([MUELLER]);
  });
});

describe('a line with a tag or memo in its own column is refused with a reason', () => {
  const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
  test.each(['memo', 'Destination Tag', 'tag', 'Memo / Tag', 'Payment-ID', 'Address tag (optional)'])(
    '%s',
    (column) => {
      const file = read(
        `name,chain,address,${column}\nAcme,xrp,${XRP},12345\nBeta,xrp,${XRP},\nCar,ethereum,${ETH},rent\n`,
      );
      expect(linesIn(file)).toMatchObject([
        { fault: expect.stringMatching(/“12345”.* can’t carry it/) },
        { fault: null },
        { fault: null },
      ]);
      const json = JSON.stringify([{ name: 'Acme', chain: 'xrp', address: XRP, [column]: '12345' }]);
      expect(linesIn(read(json))).toMatchObject([{ fault: expect.stringContaining('“12345”') }]);
    },
  );

  test('a column that a person matched is not taken for a tag', () => {
    const file = read(`Name,Chain,Konto,Memo\nAcme,xrp,${XRP},12345\n`);
    if (!('table' in file)) throw new Error('The columns were not asked for.');
    const columns = { name: 0, chain: 1, address: 2 };
    expect(linesOfTable(file.table.rows, { head: 0, columns })[0]?.fault).toContain('memo “12345”');
    expect(linesOfTable(file.table.rows, { head: 0, columns: { ...columns, note: 3 } })[0]?.fault).toBeNull();
  });
});

describe('files of other programs', () => {
  test('an address book of Safe{Wallet} names chains by their ID', () => {
    const file = read(`address,name,chainId\n${ETH},Acme,1\n${ETH},Acme,137\n${ETH},Test,11155111\n`);
    expect(linesIn(file)).toMatchObject([
      { ...ACME, fault: null },
      { ...ACME, chain: 'polygon', fault: null },
      { name: 'Test', fault: expect.stringContaining('11155111') },
    ]);
    expect(notesIn(file)).toEqual([
      'This is a Safe{Wallet} address book.',
      'Chain IDs are shown as the names of their chains.',
    ]);
  });

  test('JSON Lines is read line by line, and the review says so', () => {
    const text = `${JSON.stringify(ACME)}\n\n${JSON.stringify(BETA)}\n{"name":\n`;
    const file = read(text);
    expect(linesIn(file)).toMatchObject([
      { ...ACME, line: 1, fault: null },
      { ...BETA, line: 3, fault: null },
      { line: 4, fault: 'This line is not whole JSON.' },
    ]);
    expect(notesIn(file)).toEqual([expect.stringContaining('JSON Lines')]);
    expect(linesIn(read(JSON.stringify(ACME)))).toMatchObject([ACME]);
  });
});

describe('unknown column names', () => {
  const text = `Lieferanten\n\nLieferant;Netz;Konto;Notiz\nAcme;ethereum;${ETH};\nBeta;bitcoin;${BTC};freitags\n`;

  function tableIn(file: ImportFile) {
    if (!('table' in file)) throw new Error('Not a table to be matched.');
    return file.table;
  }

  test('are matched by a person, never guessed', () => {
    const file = read(text);
    expect(linesIn(file)).toEqual([]);
    const table = tableIn(file);
    expect(table.rows.map(({ line }) => line)).toEqual([1, 3, 4, 5]);
    const columns = { name: 0, chain: 1, address: 2, note: 3 };
    expect(linesOfTable(table.rows, { head: 1, columns })).toMatchObject([
      { ...ACME, line: 4, note: '', asset: '' },
      { ...BETA, line: 5, note: 'freitags' },
    ]);
    expect(tableIn(read(text.replace('Lieferant;', 'name;'))).suggested).toEqual({ head: 1, columns: { name: 0 } });
  });

  test('a file without column names is matched as well', () => {
    const table = tableIn(read(`${ETH},Acme,1\n${BTC},Beta,bitcoin\n`));
    expect(linesOfTable(table.rows, { head: null, columns: { address: 0, name: 1, chain: 2 } })).toMatchObject([
      ACME,
      BETA,
    ]);
  });

  test('a name that two columns share is matched by a person', () => {
    expect(tableIn(read(`name,name,chain,address\na,b,c,d`)).suggested.columns).toEqual({ chain: 2, address: 3 });
    expect(tableIn(read(`name,chain,address,note,note\na,b,c,d,e`)).suggested.columns).not.toHaveProperty('note');
    expect(tableIn(read(`name,chain,chainId,address\na,b,c,d`)).suggested.columns).not.toHaveProperty('chain');
  });
});

describe('an export is read back unchanged', () => {
  // Saved recipients are trimmed.
  const text = fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...Array.from('=+-@,;\'"\t aZ<>&é字')), minLength: 1, maxLength: 20 }),
      fc.string({ minLength: 1, maxLength: 20 }),
    )
    .map((each) => each.trim());
  const name = text.filter((each) => each !== '');
  const book = fc.array(
    fc.record({ name, chain: fc.constantFrom('bitcoin', 'new chain'), asset: text, reference: text, note: text }),
    { maxLength: 8 },
  );

  test('as CSV, which has nothing that a spreadsheet would run', () => {
    fc.assert(
      fc.property(book, (rows) => {
        const entries = rows.map((row, at) => ({ ...row, address: `address-${at}` }));
        const lines = toCsv(entries);
        expect(lines[0]).toBe('\uFEFFname,chain,address,asset,reference,note\r\n');
        expect(lines.some((line) => /^"?[=+@]/.test(line))).toBe(false);
        expect(linesIn(read(lines.join(''))).map(({ line: _line, fault: _fault, ...entry }) => entry)).toEqual(entries);
      }),
    );
  });
});
