import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { listPage } from '#src/web/api/operations/operations.ts';
import { loadRecipients, useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { type TeamItems, teamQuery, useTeam } from '#src/web/api/team.ts';
import { type PaymentNote, subjectId } from '#src/shared/contract/teamContract.ts';
import { type CsvColumn, csvColumns } from '#src/web/export/exportColumns.ts';
import { placeKey } from '#src/shared/chains/lookAlike.ts';
import type { Payment } from '#src/shared/operations/paymentHistory.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { type Field, type ListRow } from '#src/web/list/fields.tsx';
import type { RowExtras } from '#src/web/list/rows/cellContext.ts';
import { setPreferences, usePreferences } from '#src/web/storage/preferences.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { textOf } from '#src/shared/text.ts';

interface ExtrasProps {
  /** Always the same function. */
  onKnown: (extras: RowExtras) => void;
}

/** Draws nothing: tells the names of recipients, as far as they are loaded. */
export function Names({ onKnown }: ExtrasProps) {
  const { entries } = useRecipients();
  useEffect(() => {
    const names = new Map(entries.map((entry) => [placeKey(entry), entry.name]));
    onKnown({ nameOf: (chain, address) => names.get(placeKey({ chain, address })) });
  }, [entries, onKnown]);
  return null;
}

/** Draws nothing: tells what the team wrote on payments, as far as it is loaded. */
export function Notes({ of, onKnown }: ExtrasProps & { of: Payment }) {
  const { account } = useSession();
  const { data } = useTeam('notes');
  const { data: notes } = useQuery({ ...notesQuery(account, data ?? NONE, of), placeholderData: keepPreviousData });
  useEffect(() => {
    if (notes) onKnown({ noteOf: (id) => notes.get(subjectId({ kind: of, id })) });
  }, [notes, of, onKnown]);
  return null;
}

const NONE: TeamItems<PaymentNote> = { items: [], unreadable: 0, position: '' };

/** Notes by their subject. What was written when a withdrawal was sent is also its own, until it has one. */
function notesQuery(account: string, { items, position }: TeamItems<PaymentNote>, of: Payment) {
  return queryOptions({
    queryKey: [account, 'notes', of, position],
    queryFn: async ({ signal }) => {
      const notes = new Map(items.map(({ id, value }) => [id, value]));
      const sent = new Map(items.flatMap(({ value }) => (value.kind === 'operation' ? [[value.id, value]] : [])));
      if (sent.size === 0 || of === 'deposit') return notes;
      for (let cursor: string | null = null; ;) {
        const page = await listPage({ account, filters: { kind: 'withdrawal' }, limit: LIMIT_MAX, cursor, signal });
        for (const { operation } of page.data) {
          const note = sent.get(operation.key);
          const id = knownResultId(operation);
          const subject = id === null ? null : subjectId({ kind: 'withdrawal', id });
          if (note && subject !== null && !notes.has(subject)) notes.set(subject, note);
          sent.delete(operation.key);
        }
        if (sent.size === 0 || !page.has_more || page.next_cursor === null) return notes;
        cursor = page.next_cursor;
      }
    },
  });
}

/** The columns of a file: the declared fields, and of payments what the team knows; rejects where the notes cannot be loaded. */
export async function fileColumns<T extends ListRow>(
  client: QueryClient,
  account: string,
  fields: readonly Field<T>[],
  payment: Payment | undefined,
): Promise<readonly CsvColumn<T>[]> {
  const declared = csvColumns(fields);
  return payment === undefined ? declared : [...declared, ...(await teamColumns(client, account, payment))];
}

async function teamColumns(client: QueryClient, account: string, of: Payment): Promise<readonly CsvColumn<ListRow>[]> {
  const notes = await client.fetchQuery(notesQuery(account, await client.fetchQuery(teamQuery(account, 'notes')), of));
  const noteOf = ({ id }: ListRow) => (notes.size > 0 ? notes.get(subjectId({ kind: of, id })) : undefined);
  const written: CsvColumn<ListRow>[] = [
    { name: 'reference', of: (row) => noteOf(row)?.reference ?? '' },
    { name: 'note', of: (row) => noteOf(row)?.note ?? '' },
  ];
  if (of === 'deposit') return written;
  const names = new Map((await loadRecipients(client, account)).map((entry) => [placeKey(entry), entry.name]));
  const nameOf = ({ chain, address }: ListRow) => {
    const place = { chain: textOf(chain) ?? '', address: textOf(address) ?? '' };
    return names.get(placeKey(place)) ?? '';
  };
  return [{ name: 'recipient', of: nameOf }, ...written];
}

interface ColumnsFormProps {
  /** The path of the list: each has columns of its own. */
  list: string;
  /** Every column that can be chosen, in the order of the list. */
  choices: readonly { name: string; label: string }[];
  usual: readonly string[];
}

export function ColumnsForm({ list, choices, usual }: ColumnsFormProps) {
  const { columns, density } = usePreferences();
  const shown = columns[list] ?? usual;
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
              checked={shown.includes(name)}
              onChange={({ target }) => keep(target.checked ? [...shown, name] : shown.filter((each) => each !== name))}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <p className="help">A narrow window leaves out the last ones.</p>
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
