import { isObject } from '#src/shared/answers.ts';
import { rawOf } from '#src/web/api/schemas.ts';
import { csvRow } from '#src/shared/files/csv.ts';
import { textOrNull } from '#src/shared/text.ts';
import { type ListField, type ListRow, valueOf } from '#src/web/list/fields.tsx';
import { isoUtc, isoZoned, isPlausibleTime, type Zone } from '#src/shared/time.ts';

export interface CsvColumn<T> {
  name: string;
  /** The value exactly as it came; the zone is for columns of zoned times. */
  of(row: T, zone: Zone): unknown;
}

/** A cell with every character as it came; what is no text as its JSON, what is missing empty. */
export function cellText(value: unknown): string {
  return textOrNull(value) ?? '';
}

/** created_at three times: Unix seconds as it came, ISO in UTC and ISO in the person's zone; the latter empty where it is no time. */
export function createdAtColumns<T extends { readonly created_at?: unknown }>(): readonly CsvColumn<T>[] {
  const asItCame = (item: unknown) => (isObject(item) ? item['created_at'] : undefined);
  return [
    { name: 'created_at', of: (row) => asItCame(rawOf(row)) },
    { name: 'created_at_utc', of: ({ created_at: at }) => (isPlausibleTime(at) ? isoUtc(at) : '') },
    { name: 'created_at_zoned', of: ({ created_at: at }, zone) => (isPlausibleTime(at) ? isoZoned(at, zone) : '') },
  ];
}

export function csvColumns<T extends ListRow>(fields: readonly ListField<T>[]): CsvColumn<T>[] {
  return fields.flatMap((field) => {
    if (field.csv === false) return [];
    return field.kind === 'time' ? createdAtColumns<T>() : [{ name: field.name, of: (row) => valueOf(field, row) }];
  });
}

export function csvLine<T>(columns: readonly CsvColumn<T>[], row: T, zone: Zone): string {
  return csvRow(columns.map((column) => cellText(column.of(row, zone))));
}
