import { type Author } from '#src/shared/author.ts';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { outcomeWords, type RequestRecord } from '#src/web/api/requestLog.ts';
import { type LedgerEntryRow, rawOf } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { PaymentKind, PaymentHistory } from '#src/shared/operations/paymentHistory.ts';
import { counted } from '#src/shared/text.ts';
import type { ListField, FieldKind, ListRow } from '#src/web/list/fields.tsx';
import type { NoteFields } from './PaymentNote.tsx';
import type { TimelineStep } from './timeline.ts';

/** The report of one deposit or withdrawal. The page and the Markdown file show it, in full or after `redactCase`. */
export interface CaseFile {
  kind: PaymentKind;
  id: string;
  /** Null if not found, or not loaded. */
  payment: CasePayment | null;
  absence: Absence | null;
  /** The saved name of a withdrawal's recipient. */
  recipient: string | null;
  history: PaymentHistory;
  steps: readonly TimelineStep[];
  note: CaseNote | null;
  ledger: LedgerPart;
  calls: CallsAbout;
  /** The session's service and account, and the person's own name for the account. */
  who: { service: string; account: string; name: string | undefined };
  isRedacted: boolean;
}

/** The payment as the provider returned it. */
export interface CasePayment {
  facts: CaseFact[];
  /** Names of the fields that a redacted copy leaves out. */
  omittedFields: string[];
  asset: string | null;
  /** Null in a redacted copy. */
  row: ListRow | null;
  read: ResponseInfo;
}

export interface PaymentRead {
  row: ListRow;
  read: ResponseInfo;
}

/** `at`: Unix seconds. */
export type CaseNote = NoteFields & Author & { at: number };

export interface Absence {
  words: string;
  /** The service's own words. */
  said: string | null;
  requestId: string | null;
  /** Unix seconds by this device's clock. */
  at: number;
}

export type LedgerPart =
  | { kind: 'reading' }
  | { kind: 'not-asked' }
  /** `words`: ours. `said`: the service's. */
  | { kind: 'none'; words: string; said: string | null }
  | (ResponseInfo & { kind: 'read'; entries: readonly LedgerEntryRow[]; more: boolean; unrelated: number });

export interface CaseFact {
  name: string;
  kind: FieldKind | 'other';
  value: unknown;
}

export type CaseFields = readonly Pick<ListField<never>, 'name' | 'kind' | 'open'>[];

interface CaseInput extends Omit<CaseFile, 'payment' | 'isRedacted'> {
  fields: CaseFields;
  found: PaymentRead | null;
}

export function createCaseFile({ fields, found, ...parts }: CaseInput): CaseFile {
  return { ...parts, payment: found && casePayment(fields, found), isRedacted: false };
}

export function casePayment(fields: CaseFields, { row, read }: PaymentRead): CasePayment {
  return { facts: caseFacts(fields, row), omittedFields: [], asset: row.asset, row, read };
}

/** Every field as the provider sent it: first the declared fields, even if absent, then the others under their own names. */
export function caseFacts(fields: CaseFields, row: ListRow): CaseFact[] {
  const raw = new Map(Object.entries(rawOf(row) ?? {}));
  const declared = fields.filter(({ open }) => open === undefined);
  const names = new Set(declared.map(({ name }) => name));
  const others = [...raw].flatMap(([name, value]) => {
    if (names.has(name)) return [];
    const field = typeof value === 'string' ? fields.find((each) => each.name === name) : undefined;
    return [{ name, kind: field?.kind ?? ('other' as const), value }];
  });
  return [
    ...declared.map(({ name, kind }) => ({ name, kind, value: kind === 'time' ? row.created_at : raw.get(name) })),
    ...others,
  ];
}

/** When the newest part of the case file was read, in Unix seconds. */
export function asOf({ payment, absence, ledger }: CaseFile): number | null {
  const times = [payment?.read.readAt, absence?.at, ledger.kind === 'read' ? ledger.readAt : undefined].filter(
    (time) => time !== undefined,
  );
  return times.length === 0 ? null : Math.max(...times);
}

export const LEDGER_NOT_ASKED = 'Not asked for: the ID is too long to be a filter.';

export function ledgerSummary({ entries, more, unrelated }: Extract<LedgerPart, { kind: 'read' }>): string {
  const count = counted(entries.length, 'ledger entry', 'ledger entries');
  const words = [`${count} (${more ? 'the first page, there are more' : 'complete'}).`];
  if (unrelated > 0) words.push(`${unrelated} more came that do not name it, and are not shown.`);
  return words.join(' ');
}

export function fileName({ id }: CaseFile, madeAt: string): string {
  return `case-file-${id.replace(/[^\w.-]/g, '_').slice(0, 80)}-${madeAt.replace(/[-:]|\.\d+/g, '')}.md`;
}

type CallAbout = Pick<RequestRecord, 'attempt' | 'at' | 'method' | 'path' | 'ms' | 'requestId' | 'replayed'> & {
  outcome: string;
};

export interface CallsAbout {
  calls: readonly CallAbout[];
  /** How many older calls were left out. */
  more: number;
}

const CALLS_MAX = 40;

/** Calls since this page was loaded whose path, body or response names the id. */
export function callsAbout(log: readonly RequestRecord[], id: string): CallsAbout {
  const quotedId = stringifyExact(id);
  const encodedId = encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'));
  const matching = log.filter(
    ({ path, body, answer }) =>
      path.startsWith('/v1/') &&
      (path.split(/[/?&=]/).includes(encodedId) ||
        body?.text?.includes(quotedId) ||
        answer?.body?.text?.includes(quotedId)),
  );
  const calls = matching.slice(-CALLS_MAX).map((record) => {
    const { attempt, at, method, path, ms, requestId, replayed } = record;
    return { attempt, at, method, path, ms, requestId, replayed, outcome: outcomeWords(record) };
  });
  return { calls, more: matching.length - calls.length };
}
