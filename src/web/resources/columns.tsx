import type { QueryClient } from '@tanstack/react-query';
import { loadRecipients } from '#src/web/api/recipients.ts';
import { teamQuery } from '#src/web/api/team.ts';
import { subjectId } from '#src/shared/contract/teamContract.ts';
import { type CsvColumn, csvColumns } from '#src/web/export/exportColumns.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type ListField, type ListRow } from '#src/web/list/fields.tsx';
import { setPreferences, usePreferences } from '#src/web/storage/preferences.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { textOrNull } from '#src/shared/text.ts';
import { notesQuery } from './rowExtras.ts';

/** The columns of an export: the declared fields, and for payments the team's names and notes. Rejects if those cannot be loaded. */
export async function fileColumns<T extends ListRow>(
  client: QueryClient,
  account: string,
  fields: readonly ListField<T>[],
  payment: PaymentKind | undefined,
): Promise<readonly CsvColumn<T>[]> {
  const declared = csvColumns(fields);
  return payment === undefined ? declared : [...declared, ...(await teamColumns(client, account, payment))];
}

async function teamColumns(
  client: QueryClient,
  account: string,
  of: PaymentKind,
): Promise<readonly CsvColumn<ListRow>[]> {
  const notes = await client.fetchQuery(notesQuery(account, await client.fetchQuery(teamQuery(account, 'notes')), of));
  const noteOf = ({ id }: ListRow) => (notes.size > 0 ? notes.get(subjectId({ kind: of, id })) : undefined);
  const written: CsvColumn<ListRow>[] = [
    { name: 'reference', of: (row) => noteOf(row)?.reference ?? '' },
    { name: 'note', of: (row) => noteOf(row)?.note ?? '' },
  ];
  if (of === 'deposit') return written;
  const names = new Map((await loadRecipients(client, account)).map((entry) => [addressKey(entry), entry.name]));
  const nameOf = ({ chain, address }: ListRow) => {
    const place = { chain: textOrNull(chain) ?? '', address: textOrNull(address) ?? '' };
    return names.get(addressKey(place)) ?? '';
  };
  return [{ name: 'recipient', of: nameOf }, ...written];
}

interface ColumnsFormProps {
  /** Path of the list, under which the choice is saved. */
  list: string;
  /** In the order of the list. */
  choices: readonly { name: string; label: string }[];
  usual: readonly string[];
}

export function ColumnsForm({ list, choices, usual }: ColumnsFormProps) {
  const { columns, density } = usePreferences();
  const visible = columns[list] ?? usual;
  const keep = (names: readonly string[] | undefined) => {
    const { [list]: _former, ...others } = columns;
    setPreferences({ columns: names === undefined ? others : { ...others, [list]: names } });
  };
  return (
    <>
      <Segmented
        label="Rows"
        labelVisible
        value={density}
        options={{ comfortable: 'Comfortable', compact: 'Compact' }}
        onChange={(next) => setPreferences({ density: next })}
      />
      <fieldset className="grid gap-2">
        <legend className="pb-1 font-semibold">Columns</legend>
        {choices.map(({ name, label }) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              checked={visible.includes(name)}
              onChange={({ target }) =>
                keep(target.checked ? [...visible, name] : visible.filter((each) => each !== name))
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
      <p className="help">The last columns are hidden when space is short.</p>
      {columns[list] && (
        <div className="acts-row">
          <Button size="small" variant="quiet" onClick={() => keep(undefined)}>
            Usual columns
          </Button>
        </div>
      )}
    </>
  );
}
