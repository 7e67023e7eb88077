import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvHead, csvRow, csvTextRow, readCsv } from '#src/shared/files/csv.ts';
import { add, equal } from '#src/shared/money.ts';
import { createStatementJournal, journalCells, journalColumns } from './journal.ts';

/** The program; without it nothing is opened, and the output says so. */
const SOFFICE = process.env['SOFFICE'] ?? 'soffice';
const FROM_CSV = '--infilter=CSV:44,34,76';
/** With the content of cells, not as they are shown. */
const TO_CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false';

/** The file opened in LibreOffice, saved as a spreadsheet, and that saved as CSV again. */
function throughLibreOffice(text: string): string[][] {
  const directory = mkdtempSync(join(tmpdir(), 'countinghouse-soffice-'));
  const convert = (...args: string[]): void => {
    const profile = `-env:UserInstallation=${pathToFileURL(join(directory, 'profile')).href}`;
    const { status, stderr } = spawnSync(SOFFICE, [profile, '--headless', ...args, '--outdir', directory], {
      cwd: directory,
      timeout: 240_000,
    });
    if (status !== 0) throw new Error(`soffice failed: ${String(stderr)}`);
  };
  try {
    writeFileSync(join(directory, 'file.csv'), text);
    convert(FROM_CSV, '--convert-to', 'ods', 'file.csv');
    rmSync(join(directory, 'file.csv'));
    convert('--convert-to', TO_CSV, 'file.ods');
    return (readCsv(readFileSync(join(directory, 'file.csv'), 'utf8')) ?? []).map(({ cells }) => cells);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** "1.5E-007" as "0.00000015". */
function plain(text: string): string {
  const [, sign = '', whole = '', rest = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:E([-+]?\d+))?$/.exec(text) ?? [];
  const point = whole.length + Number(exponent);
  const digits = '0'.repeat(Math.max(0, 1 - point)) + whole + rest;
  const at = Math.max(point, 1);
  const padded = digits.padEnd(at, '0');
  return `${sign}${padded.slice(0, at)}.${padded.slice(at) || '0'}`;
}

const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((each) => each.join(''));
/** Amounts of up to 15 significant digits, with up to 18 decimals. */
const short = fc.tuple(digits(15), fc.nat({ max: 18 })).map(([text, decimals]) => {
  const padded = text.padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals).replace(/^0+(?=\d)/, '');
  return decimals === 0 ? whole : `${whole}.${padded.slice(padded.length - decimals)}`;
});
const long = fc.tuple(digits(20), digits(18)).map(([whole, rest]) => `${whole.replace(/^0+(?=\d)/, '')}.${rest}`);

function journalOf(amounts: readonly string[]) {
  const facts = { of: () => ({ recipient: '=1+1', reference: '00123456789012345678' }) };
  const input = {
    zone: 'utc' as const,
    opening: new Map<string, string>(),
    fees: new Map<string, string>(),
    facts,
    rates: null,
  };
  const journal = createStatementJournal(input);
  const rows = amounts.flatMap((amount, at) =>
    journal.add({ at: 1_793_000_000 + at, asset: `A${at}`, amount, source: `dep_${at}`, kind: 'deposits', type: '' }),
  );
  const columns = journalColumns(input);
  const all = [...rows, ...journal.end()];
  const lines = all.map((row) => columns.map((column) => row[column]));
  const file = (rowOf: typeof csvRow) =>
    csvHead(columns) + all.map((row) => rowOf(journalCells(row, columns))).join('');
  return { lines, columns, journal: file(csvRow), exact: file(csvTextRow) };
}

test('amounts of up to 15 significant digits open in LibreOffice as numbers without loss, and exact.csv as text', () => {
  if (spawnSync(SOFFICE, ['--version']).status !== 0) {
    process.stderr.write(`${SOFFICE} isn’t installed: nothing was opened in LibreOffice.\n`);
    return;
  }
  const amounts = fc.sample(short, 1_000).filter((amount) => !equal(amount, '0'));
  const { lines, columns, journal } = journalOf(amounts);
  const into = columns.indexOf('in');
  const opened = throughLibreOffice(journal).slice(1);
  expect(opened).toHaveLength(lines.length);
  for (const [at, line] of lines.entries()) {
    const cell = plain(opened[at]?.[into] ?? '');
    expect([line[into], equal(cell, add(line[into] ?? '', '0'))]).toEqual([line[into], true]);
  }
  expect(opened[0]?.[0]).toBe(lines[0]?.[0]);
  expect(opened[0]?.[columns.indexOf('recipient')]).toBe("'=1+1");
  expect(opened[0]?.[columns.indexOf('reference')]).toBe("'00123456789012345678");

  const exact = journalOf([...fc.sample(long, 500), ...amounts.slice(0, 100)]);
  const kept = throughLibreOffice(exact.exact).slice(1);
  const numbers = ['reference', 'asset', 'in', 'balance_after', 'id'] as const;
  const cellsOf = (line: readonly string[]) => numbers.map((name) => line[columns.indexOf(name)]?.replace(/^'/, ''));
  expect(kept.map(cellsOf)).toEqual(exact.lines.map(cellsOf));
}, 600_000);
