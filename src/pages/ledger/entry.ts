import { DEPOSIT_ID_PREFIX, WITHDRAWAL_ID_PREFIX } from '#src/api/contract.ts';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { isAmount, isNegative } from '#src/lib/amount.ts';
import { paths } from '#src/lib/paths.ts';
import { asText } from '#src/lib/text.ts';

/** A field as text: strings as they came, anything else as its JSON, null where there is none. */
export function fieldText(value: unknown): string | null {
  return value === undefined || value === null ? null : asText(value);
}

/** What moved the money: the field `source`, or wherever else a service puts the id of a deposit or withdrawal. */
export function sourceOf(entry: LedgerEntryRow): string | null {
  const { source } = entry;
  if (typeof source === 'string' && source !== '') return source;
  const other = Object.entries(entry).find(([name, value]) => name !== 'id' && sourcePath(value) !== null)?.[1];
  return typeof other === 'string' ? other : null;
}

/** The page of a deposit or a withdrawal, null for an id of another kind. */
export function sourcePath(id: unknown): string | null {
  if (typeof id !== 'string') return null;
  if (id.startsWith(DEPOSIT_ID_PREFIX)) return paths.deposit(id);
  return id.startsWith(WITHDRAWAL_ID_PREFIX) ? paths.withdrawal(id) : null;
}

/** An amount as wide as the entry's is with its sign. */
export function asWideAs({ amount }: LedgerEntryRow): unknown {
  return isAmount(amount) && !isNegative(amount) ? `-${amount.replace('-', '')}` : amount;
}
