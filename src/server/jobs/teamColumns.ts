import * as v from 'valibot';
import type { AccountOwner, Rows } from '#src/server/operations/ports.ts';
import type { Team } from '#src/server/team/team.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import {
  COLLECTIONS,
  type PaymentNote,
  type Recipient,
  type Subject,
  subjectId,
} from '#src/shared/contract/teamContract.ts';
import { type CsvColumn, type ExportRow } from '#src/shared/export/exportColumns.ts';
import { parseExact } from '#src/shared/json/exactJson.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { textOrNull } from '#src/shared/text.ts';

export interface TeamColumnsParts {
  team: Pick<Team, 'list'>;
  rows: Pick<Rows, 'list'>;
}

/** Columns with the team's recipient names, references and notes for the payments of a list. */
export async function loadTeamColumns(
  parts: TeamColumnsParts,
  owner: AccountOwner,
  payment: PaymentKind | null,
): Promise<readonly CsvColumn[]> {
  if (payment === null) return [];
  const notes = await notesOf(parts, owner, payment);
  const noteOf = ({ id }: ExportRow) => (notes.size > 0 ? notes.get(subjectId({ kind: payment, id })) : undefined);
  const written: CsvColumn[] = [
    { name: 'reference', of: (row) => noteOf(row)?.reference ?? '' },
    { name: 'note', of: (row) => noteOf(row)?.note ?? '' },
  ];
  if (payment === 'deposit') return written;
  const names = await recipientNames(parts, owner);
  const nameOf = (row: ExportRow) =>
    names.get(addressKey({ chain: textOrNull(row['chain']) ?? '', address: textOrNull(row['address']) ?? '' })) ?? '';
  return [{ name: 'recipient', of: nameOf }, ...written];
}

type Note = Pick<PaymentNote, 'reference' | 'note'>;

/** Notes by subject. A withdrawal without a note of its own has the one written when it was sent. */
async function notesOf(parts: TeamColumnsParts, owner: AccountOwner, payment: PaymentKind): Promise<Map<string, Note>> {
  const notes = new Map<string, Note>();
  const sent = new Map<string, Note>();
  const add = ({ kind, id, reference, note }: Subject & Note) => {
    if (kind === payment) notes.set(subjectId({ kind, id }), { reference, note });
    else if (kind === 'operation') sent.set(id, { reference, note });
  };
  await eachItem(parts.team, owner, 'notes', (value) => {
    const parsed = v.safeParse(COLLECTIONS.notes.value, value);
    if (parsed.success) add(parsed.output);
  });
  if (payment === 'deposit') return notes;
  for (let cursor: string | null = null; sent.size > 0;) {
    const page = await parts.rows.list({ ...owner, states: null, kind: 'withdrawal', about: null, cursor, limit: 100 });
    for (const { record } of page.rows) {
      const [note, id] = record ? [sent.get(record.key), knownResultId(record)] : [undefined, null];
      const subject = id === null ? null : subjectId({ kind: 'withdrawal', id });
      if (note && subject !== null && !notes.has(subject)) notes.set(subject, note);
      if (record) sent.delete(record.key);
    }
    if (page.next === null) break;
    cursor = page.next;
  }
  return notes;
}

async function recipientNames({ team }: TeamColumnsParts, owner: AccountOwner): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  await eachItem(team, owner, 'recipients', (value) => {
    const parsed = v.safeParse(COLLECTIONS.recipients.value, value);
    const recipient: Recipient | null = parsed.success ? parsed.output : null;
    if (recipient !== null) names.set(addressKey(recipient), recipient.name);
  });
  return names;
}

const PAGE = 500;

/** All items of a collection, as stored. */
export async function eachItem(
  team: TeamColumnsParts['team'],
  owner: AccountOwner,
  collection: 'notes' | 'recipients',
  take: (value: unknown) => void,
): Promise<void> {
  for (let cursor = 0; ;) {
    const { items, next } = await team.list(owner, { collection, updatedAfter: null, cursor, limit: PAGE });
    for (const { value } of items) take(parseExact(value));
    if (next === null) return;
    cursor = Number(next);
  }
}
