import { useEffect } from 'react';
import { useRecipients } from '#src/api/recipients.ts';
import { useTeam } from '#src/api/team.ts';
import { subjectId } from '#src/api/teamContract.ts';
import { placeKey } from '#src/lib/chains/lookAlike.ts';
import type { Payment } from '#src/lib/operations/story.ts';
import type { RowExtras } from '#src/list/listCells.tsx';

interface ExtrasProps {
  account: string;
  of: Payment;
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
export function Notes({ account, of, onKnown }: ExtrasProps) {
  const { data } = useTeam(account, 'notes');
  useEffect(() => {
    if (!data) return;
    const notes = new Map(data.items.map(({ id, value }) => [id, value]));
    onKnown({ noteOf: (id) => notes.get(subjectId({ kind: of, id })) });
  }, [data, of, onKnown]);
  return null;
}
