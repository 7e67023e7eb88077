import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { settledRecipients, useRecipients } from '#src/api/recipients.ts';
import { teamQuery, useTeam } from '#src/api/team.ts';
import { subjectId } from '#src/api/teamContract.ts';
import type { CsvColumn } from '#src/export/exportColumns.ts';
import { placeKey } from '#src/lib/chains/lookAlike.ts';
import type { Payment } from '#src/lib/operations/story.ts';
import { type ListRow, textOf } from '#src/list/fields.tsx';
import type { RowExtras } from '#src/list/rows/listCells.tsx';

interface ExtrasProps {
  account: string;
  /** Always the same function. */
  onKnown: (extras: RowExtras) => void;
}

/** Draws nothing: tells the names of recipients, as far as they are loaded. */
export function Names({ account, onKnown }: ExtrasProps) {
  const { entries } = useRecipients(account);
  useEffect(() => {
    const names = new Map(entries.map((entry) => [placeKey(entry), entry.name]));
    onKnown({ nameOf: (chain, address) => names.get(placeKey({ chain, address })) });
  }, [entries, onKnown]);
  return null;
}

/** Draws nothing: tells what the team wrote on payments, as far as it is loaded. */
export function Notes({ account, of, onKnown }: ExtrasProps & { of: Payment }) {
  const { data } = useTeam(account, 'notes');
  useEffect(() => {
    if (!data) return;
    const notes = new Map(data.items.map(({ id, value }) => [id, value]));
    onKnown({ noteOf: (id) => notes.get(subjectId({ kind: of, id })) });
  }, [data, of, onKnown]);
  return null;
}

/** What the team knows of payments, as columns of a file; rejects where the notes cannot be loaded. */
export async function teamColumns(
  client: QueryClient,
  account: string,
  of: Payment,
): Promise<readonly CsvColumn<ListRow>[]> {
  const { items } = await client.fetchQuery(teamQuery(account, 'notes'));
  const notes = new Map(items.map(({ id, value }) => [id, value]));
  const noteOf = ({ id }: ListRow) => notes.get(subjectId({ kind: of, id }));
  const written: CsvColumn<ListRow>[] = [
    { name: 'reference', of: (row) => noteOf(row)?.reference ?? '' },
    { name: 'note', of: (row) => noteOf(row)?.note ?? '' },
  ];
  if (of === 'deposit') return written;
  const names = new Map((await settledRecipients(client, account)).map((entry) => [placeKey(entry), entry.name]));
  const nameOf = ({ chain, address }: ListRow) => {
    const place = { chain: textOf(chain) ?? '', address: textOf(address) ?? '' };
    return names.get(placeKey(place)) ?? '';
  };
  return [{ name: 'recipient', of: nameOf }, ...written];
}
