import { expect, test } from 'vitest';
import { statementFileName } from './fileName.ts';

const at = (...[year, month, day = 1]: [number, number, number?]) => Date.UTC(year, month - 1, day) / 1000;
const october = { from: at(2026, 10), to: at(2026, 11), zone: 'utc' as const, number: 1, account: 'a1b2c3d4e5f60718' };
const nameOf = (label: string | null) => statementFileName({ ...october, label });

test('a statement’s file is named after account, month and number', () => {
  expect(nameOf('Acme EU')).toBe('Acme-EU_2026-10_statement-1.zip');
  expect(statementFileName({ ...october, label: 'eu', to: at(2026, 10, 8), number: 12 })).toBe(
    'eu_2026-10-01-to-2026-10-07_statement-12.zip',
  );
  expect(statementFileName({ ...october, label: 'eu', to: at(2026, 12) })).toContain('_2026-10-01-to-2026-11-30_');
  const atTen = { from: october.from + 36_000, to: october.to + 36_000 };
  for (const bounds of [{ from: atTen.from }, { to: atTen.to }, atTen])
    expect(statementFileName({ ...october, ...bounds, label: 'eu' })).toMatch(/_2026-10-01-to-2026-1[01]-\d\d_/);
});

test('the month is that of the statement’s zone', () => {
  const zone = { name: 'Asia/Tokyo' };
  const bounds = { from: october.from - 9 * 3600, to: october.to - 9 * 3600 };
  expect(statementFileName({ ...october, ...bounds, zone, label: 'jp' })).toBe('jp_2026-10_statement-1.zip');
});

test('without a label the account’s ID tells two accounts apart', () => {
  for (const label of [null, '', ' /../ ']) expect(nameOf(label)).toBe('account-a1b2c3d4_2026-10_statement-1.zip');
});

test('a label has no character that a file system refuses or that hides its end', () => {
  expect(nameOf('../a\\b:c*?"<>|\u202Egnp_x')).toBe('a-b-c-gnp-x_2026-10_statement-1.zip');
  expect(nameOf('Kävelykatu 日本 ₿')).toBe('Kävelykatu-日本_2026-10_statement-1.zip');
  expect(nameOf('x'.repeat(500)).length).toBeLessThan(100);
});
