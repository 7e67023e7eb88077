import { expect, test } from 'vitest';
import { inZone } from '#src/tests/inZone.ts';
import { cellText, createdAtColumns } from './exportColumns.ts';
import { type ExportedRow, row } from './testExport.ts';

test('cells say what is no text as JSON and a missing value as nothing', () => {
  expect([cellText(1.5), cellText(null), cellText(undefined), cellText({ a: 1 })]).toEqual(['1.5', '', '', '{"a":1}']);
  const times = createdAtColumns<ExportedRow>().map((column) =>
    column.of(row(0, { created_at: 1_763_000_000_000 }), 'utc'),
  );
  expect(times).toEqual([1_763_000_000_000, '', '']);
  const inBerlin = inZone('Europe/Berlin', () => createdAtColumns<ExportedRow>()[2]?.of(row(0), 'local'));
  expect(inBerlin).toBe('2025-11-13T03:13:20+01:00');
});
