import type { Meta } from '#src/api/read.ts';
import { type DepositRow, type LedgerEntryRow, rawOf, type WithdrawalRow } from '#src/api/schemas.ts';
import type { Story } from '#src/lib/story.ts';
import type { CallsAbout } from './callsAbout.ts';

/** Everything that this page can tell about one deposit or withdrawal, as data; the page and the Markdown are two ways to say it. */
export interface CaseFile {
  of: 'deposit' | 'withdrawal';
  id: string;
  /** As it was read; null: there is nothing to show. */
  found: { row: DepositRow | WithdrawalRow; read: Meta } | null;
  /** Why there is nothing, or what stands against it. */
  absence: Absence | null;
  story: Story;
  ledger: LedgerPart;
  calls: CallsAbout;
  /** Who looked: the service and the account as the session names them, and the person's own name for it. */
  who: { service: string; account: string; name: string | undefined };
}

export interface Absence {
  words: string;
  /** What the service said, in its own words. */
  said: string | null;
  requestId: string | null;
  /** Unix seconds by this device's clock. */
  at: number;
}

export type LedgerPart =
  | { kind: 'reading' }
  | { kind: 'not-asked' }
  /** `words` of ours; `said`: the service's. */
  | { kind: 'none'; words: string; said: string | null }
  | (Meta & { kind: 'read'; entries: readonly LedgerEntryRow[]; more: boolean; unrelated: number });

export type FieldKind = 'id' | 'word' | 'amount' | 'time' | 'address' | 'hash' | 'other';

export interface CaseField {
  name: string;
  kind: FieldKind;
  /** As it came; undefined: not in the answer. */
  value: unknown;
}

/** The fields that the contract states (2.2, 2.3), in its order. */
const STATED: Record<CaseFile['of'], readonly (readonly [string, FieldKind])[]> = {
  deposit: [
    ['id', 'id'],
    ['object', 'word'],
    ['status', 'word'],
    ['asset', 'word'],
    ['chain', 'word'],
    ['received_amount', 'amount'],
    ['created_at', 'time'],
  ],
  withdrawal: [
    ['id', 'id'],
    ['object', 'word'],
    ['status', 'word'],
    ['asset', 'word'],
    ['chain', 'word'],
    ['amount', 'amount'],
    ['fee', 'amount'],
    ['address', 'address'],
    ['tx_hash', 'hash'],
    ['created_at', 'time'],
  ],
};
/** Fields that a deposit may have without the contract's word, and that say where it came in. */
const LIKELY = new Map<string, FieldKind>([
  ['address', 'address'],
  ['tx_hash', 'hash'],
]);

/** Every field as it came: those that the contract states, absent ones too, then the others under their own names. */
export function fieldsOf({ of, found }: Pick<CaseFile, 'of' | 'found'>): CaseField[] {
  if (!found) return [];
  const raw = new Map(Object.entries(asObject(rawOf(found.row))));
  const stated = STATED[of].map(([name, kind]) => ({
    name,
    kind,
    value: kind === 'time' ? found.row.created_at : raw.get(name),
  }));
  const names = new Set(STATED[of].map(([name]) => name));
  const others = [...raw].flatMap(([name, value]) => {
    if (names.has(name)) return [];
    const likely = typeof value === 'string' ? LIKELY.get(name) : undefined;
    return [{ name, kind: likely ?? ('other' as const), value }];
  });
  return [...stated, ...others];
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** The latest moment of what the file holds, Unix seconds: the file is of then. */
export function asOf({ found, absence, ledger }: CaseFile): number | null {
  const times = [found?.read.readAt, absence?.at, ledger.kind === 'read' ? ledger.readAt : undefined];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? null : Math.max(...known);
}

/** "case-file-wd_9fK2-20261121T135822Z.md" */
export function fileName({ id }: CaseFile, madeAt: string): string {
  return `case-file-${id.replace(/[^\w.-]/g, '_').slice(0, 80)}-${madeAt.replace(/[-:]|\.\d+/g, '')}.md`;
}
