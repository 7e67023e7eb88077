import { DEPOSIT_ID_PREFIX, WITHDRAWAL_ID_PREFIX } from './contract/contract.ts';
import { paths } from './paths.ts';

/** The ID of what moved the money: the field `source`, or another field with the ID of a deposit or withdrawal. */
export function sourceOf(entry: Readonly<Record<string, unknown>>): string | null {
  const source = entry['source'];
  if (typeof source === 'string' && source !== '') return source;
  const other = Object.entries(entry).find(([name, value]) => name !== 'id' && sourcePath(value) !== null)?.[1];
  return typeof other === 'string' ? other : null;
}

/** The page of a deposit or a withdrawal, null for an id of another kind. */
export function sourcePath(id: unknown): string | null {
  if (typeof id !== 'string') return null;
  const kind = sourceKind(id);
  return kind === 'other' ? null : kind === 'deposits' ? paths.deposit(id) : paths.withdrawal(id);
}

/** The kind of an ID, by its prefix. */
export function sourceKind(id: string): 'deposits' | 'withdrawals' | 'other' {
  if (id.startsWith(DEPOSIT_ID_PREFIX)) return 'deposits';
  return id.startsWith(WITHDRAWAL_ID_PREFIX) ? 'withdrawals' : 'other';
}
