import { useState } from 'react';
import { revealHidden } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import {
  type ColumnMatch,
  type Columns,
  importColumns,
  HEAD_ROWS_MAX,
  type ImportNote,
  type ImportTable,
  RECIPIENT_FIELDS,
  type RecipientColumn,
  REQUIRED_FIELDS,
} from './importFile.ts';
import { ImportNotes } from './ImportPreview.tsx';

interface ColumnFormProps {
  file: string;
  table: ImportTable;
  notes: readonly ImportNote[];
  onMatch: (match: ColumnMatch) => void;
  onCancel: () => void;
}

const LABELS: Record<RecipientColumn, string> = {
  name: 'Name',
  chain: 'Chain',
  address: 'Address',
  asset: 'Asset (optional)',
  reference: 'Reference (optional)',
  note: 'Note (optional)',
};

/** The value of the option "none". */
const NONE = -1;

/** Asks which column holds which field, when the file uses other names. */
export function ColumnForm({ file, table: { rows, suggested }, notes, onMatch, onCancel }: ColumnFormProps) {
  const [{ head, columns }, setMatch] = useState(suggested);
  const names = head === null ? undefined : rows[head];
  const sample = rows[head === null ? 0 : head + 1];
  const width = Math.max(...[names, sample].map((row) => row?.cells.length ?? 0));
  const options = Array.from({ length: width }, (_, at) => ({
    value: at,
    label: columnLabel(at, names?.cells[at], sample?.cells[at]),
  }));
  const chooseHead = (at: number) => {
    const row = rows[at];
    setMatch(row ? { head: at, columns: importColumns(row) } : { head: null, columns: {} });
  };
  const chooseColumn = (field: RecipientColumn, at: number) => {
    const { [field]: _before, ...others } = columns;
    setMatch({ head, columns: at === NONE ? others : { ...others, [field]: at } });
  };
  return (
    <div className="grid gap-3 border border-rule p-4">
      <h2 ref={focusOnMount} tabIndex={-1}>
        Match columns: <UntrustedText value={file} max={80} />
      </h2>
      <ImportNotes notes={notes} />
      <p>Choose the column for each field. You can review the recipients before anything is imported.</p>
      <SelectField
        label="Column names are in"
        value={head ?? NONE}
        options={[
          ...rows.slice(0, HEAD_ROWS_MAX).map(({ line, cells }, at) => ({
            value: at,
            label: `Line ${line}: ${clipped(cells.filter((cell) => cell !== '').join(', '))}`,
          })),
          { value: NONE, label: 'This file has no column names' },
        ]}
        onChange={chooseHead}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-3">
        {RECIPIENT_FIELDS.map((field) => (
          <SelectField
            key={field}
            label={LABELS[field]}
            value={columns[field] ?? NONE}
            options={[{ value: NONE, label: isRequired(field) ? 'Choose a column' : 'Not in this file' }, ...options]}
            onChange={(at) => chooseColumn(field, at)}
          />
        ))}
      </div>
      <div className="acts-row">
        <Button variant="primary" disabledReason={problemOf(columns)} onClick={() => onMatch({ head, columns })}>
          Review recipients
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function isRequired(field: RecipientColumn): boolean {
  return REQUIRED_FIELDS.some((required) => required === field);
}

function problemOf(columns: Columns): string | undefined {
  const missing = REQUIRED_FIELDS.find((field) => columns[field] === undefined);
  if (missing !== undefined) return `Choose the column for ${missing}.`;
  const chosen = Object.values(columns);
  return new Set(chosen).size < chosen.length ? 'Choose a different column for each field.' : undefined;
}

function columnLabel(at: number, name = '', sample = ''): string {
  const label = name === '' ? `Column ${at + 1}` : clipped(name);
  return sample === '' ? label : `${label} (such as ${clipped(sample)})`;
}

const LONGEST = 40;

/** The text as one short line, for an option. */
function clipped(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return revealHidden(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line);
}
