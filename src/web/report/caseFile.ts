import { outcomeWords } from '#src/web/api/errors.ts';
import type { Meta } from '#src/web/api/read.ts';
import type { RequestRecord } from '#src/web/api/requestLog.ts';
import { type LedgerEntryRow, rawOf } from '#src/web/api/schemas.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { PaymentHistory } from '#src/shared/operations/paymentHistory.ts';
import type { Field, FieldKind, ListRow } from '#src/web/list/fields.tsx';
import type { Written } from './PaymentNote.tsx';
import type { Step } from './timeline.ts';

/** Everything that this page can tell about one deposit or withdrawal, as data; the page and the Markdown are two ways to say it. */
export interface CaseFile {
  of: 'deposit' | 'withdrawal';
  fields: readonly Pick<Field<never>, 'name' | 'kind' | 'open'>[];
  id: string;
  found: { row: ListRow; read: Meta } | null;
  absence: Absence | null;
  history: PaymentHistory;
  steps: readonly Step[];
  note: Noted | null;
  ledger: LedgerPart;
  calls: CallsAbout;
  /** Who looked: the service and the account as the session names them, and the person's own name for it. */
  who: { service: string; account: string; name: string | undefined };
  /** A copy for others: the fields that it may hold, and the names of those that it leaves out. Null: everything is in it. */
  redacted: { fields: CaseField[]; leftOut: string[] } | null;
}

/** `at`: Unix seconds. */
export type Noted = Written & { who: string | null; at: number };

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

export interface CaseField {
  name: string;
  kind: FieldKind | 'other';
  value: unknown;
}

/** Every field as it came: those that are declared, absent ones too, then the others under their own names. */
export function fieldsOf({
  fields,
  found,
  redacted = null,
}: Pick<CaseFile, 'fields' | 'found'> & Partial<Pick<CaseFile, 'redacted'>>): CaseField[] {
  if (!found) return [];
  if (redacted) return redacted.fields;
  const raw = new Map(Object.entries(rawOf(found.row) ?? {}));
  const stated = fields.filter(({ open }) => open === undefined);
  const names = new Set(stated.map(({ name }) => name));
  const others = [...raw].flatMap(([name, value]) => {
    if (names.has(name)) return [];
    const known = typeof value === 'string' ? fields.find((field) => field.name === name) : undefined;
    return [{ name, kind: known?.kind ?? ('other' as const), value }];
  });
  return [
    ...stated.map(({ name, kind }) => ({
      name,
      kind,
      value: kind === 'time' ? found.row.created_at : raw.get(name),
    })),
    ...others,
  ];
}

/** The latest moment of what the file holds, Unix seconds: the file is of then. */
export function asOf({ found, absence, ledger }: CaseFile): number | null {
  const times = [found?.read.readAt, absence?.at, ledger.kind === 'read' ? ledger.readAt : undefined];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? null : Math.max(...known);
}

export function fileName({ id }: CaseFile, madeAt: string): string {
  return `case-file-${id.replace(/[^\w.-]/g, '_').slice(0, 80)}-${madeAt.replace(/[-:]|\.\d+/g, '')}.md`;
}

type CallAbout = Pick<RequestRecord, 'attempt' | 'at' | 'method' | 'path' | 'ms' | 'requestId' | 'replayed'> & {
  outcome: string;
};

export interface CallsAbout {
  calls: readonly CallAbout[];
  /** Older ones that are not among them. */
  more: number;
}

const MOST = 40;

/** The calls of this page load to the service whose path, body or answer names an id; bodies that the log dropped are not looked at. */
export function callsAbout(log: readonly RequestRecord[], id: string): CallsAbout {
  const written = stringifyExact(id);
  const encoded = encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'));
  const named = log.filter(
    ({ path, body, answer }) =>
      path.startsWith('/v1/') &&
      (path.split(/[/?&=]/).includes(encoded) ||
        body?.text?.includes(written) ||
        answer?.body?.text?.includes(written)),
  );
  const calls = named.slice(-MOST).map((record) => {
    const { attempt, at, method, path, ms, requestId, replayed } = record;
    return { attempt, at, method, path, ms, requestId, replayed, outcome: outcomeWords(record) };
  });
  return { calls, more: named.length - calls.length };
}
