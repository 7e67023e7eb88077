import type { QueryClient } from '@tanstack/react-query';
import { settledRecipients } from '#src/api/recipients.ts';
import { teamQuery } from '#src/api/team.ts';
import { subjectId } from '#src/api/teamContract.ts';
import type { CsvColumn } from '#src/export/exportColumns.ts';
import { placeKey } from '#src/lib/chains/lookAlike.ts';
import type { Payment } from '#src/lib/operations/story.ts';
import { type ListRow, textOf } from '#src/list/fields.tsx';

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
