import type { NoRow } from '#src/api/findRow.ts';
import { counted } from '#src/lib/count.ts';

/** What was looked at without finding one of these ("deposit"), and what that does not prove. */
export function searchedWords(noun: string, { scanned, complete }: Pick<NoRow, 'scanned' | 'complete'>): string {
  const rows = counted(scanned, 'row', 'rows');
  const where = complete ? `all ${rows} of it` : `the place where this id would stand, and the newest ${rows}`;
  return `The service has no look-up of one ${noun}, so the list was searched: ${where}. That is no proof that it does not exist: it may belong to another account${complete ? '' : ', stand further down'} or not be listed yet.`;
}
