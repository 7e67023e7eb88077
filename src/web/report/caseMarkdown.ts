import { authorName } from '#src/shared/author.ts';
import { statusMeaning } from '#src/shared/paymentStatus.ts';
import { isAmount } from '#src/shared/amount.ts';
import type { HistoryPart, PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { textOrJson, revealHidden, visibleCode } from '#src/shared/text.ts';
import { isoMs, isoUtc, isPlausibleTime, took } from '#src/shared/time.ts';
import {
  type CaseFact,
  type CaseFile,
  type CaseNote,
  type CasePayment,
  LEDGER_NOT_ASKED,
  ledgerSummary,
} from './caseFile.ts';
import { NOTE_FIELDS } from './PaymentNote.tsx';
import { REDACTION } from './redactCase.ts';
import type { TimelineStep } from './timeline.ts';

export function caseMarkdown(file: CaseFile, madeAt: string): string {
  const { kind, id, payment, absence, who } = file;
  const lines = [
    `# Case file: ${kind} ${codeSpan(id)}`,
    '',
    `- Made ${madeAt} by Countinghouse, with account ${codeSpan(who.account.slice(0, 8))}${who.name === undefined ? '' : ` (${codeSpan(who.name)})`} at ${codeSpan(who.service)}`,
    '- All times are UTC.',
    `- ${file.isRedacted ? REDACTION : 'Full copy: nothing is left out but the raw response. No API key is in it.'}`,
    ...(file.note ? section('Case', noteLines(file.note)) : []),
    ...section('Details', [
      ...(absence ? [`- ${absence.words} Checked ${isoUtc(absence.at)}, request ID ${idOf(absence.requestId)}.`] : []),
      ...(absence?.said ? [`- The provider said: ${quote(absence.said)}`] : []),
      ...(payment || absence ? [] : ['- It was not loaded when this file was made.']),
      ...(file.recipient === null ? [] : [`- To: ${quote(file.recipient)}`]),
      ...(payment ? paymentLines(kind, payment) : []),
    ]),
    ...(file.steps.length > 0 ? section('Timeline', file.steps.map(stepLine)) : []),
    ...section('Sent from here', historyLines(file)),
    ...section('Ledger entries', ledgerLines(file)),
    ...section('API calls', callLines(file)),
  ];
  return `${lines.join('\n')}\n`;
}

const QUOTE_MAX = 300;

function quote(text: string): string {
  return codeSpan(text, QUOTE_MAX);
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, '', ...lines];
}

function stepLine({ at, isSeen, what, more = '', notes }: TimelineStep): string {
  const when = at === null ? 'Time not known' : `${isSeen ? 'Seen ' : ''}${isoUtc(at)}`;
  const noteTexts = notes.map((note) =>
    typeof note === 'string'
      ? quote(note)
      : `${codeSpan(note.amount)} ${quote(visibleCode(note.asset ?? ''))} ${note.words}`,
  );
  return `- ${[`${when}: ${quote(what + more)}`, ...noteTexts].join('; ')}`;
}

function noteLines({ at, ...note }: CaseNote): string[] {
  const name = authorName(note);
  return NOTE_FIELDS.flatMap(({ name, label, most }) => {
    const lines = (note[name] ?? '').split(/\n+/).filter((line) => line.trim() !== '');
    return lines.length === 0 ? [] : [`- ${label}: ${lines.map((line) => codeSpan(line, most)).join('\n   - ')}`];
  }).concat(`- Written${name === '' ? '' : ` by ${quote(name)}`} ${isoUtc(at)}`);
}

function paymentLines(kind: PaymentKind, { facts, omittedFields, asset, read }: CasePayment): string[] {
  return [
    ...facts.map((fact) => factLine(kind, fact, asset)),
    ...(omittedFields.length > 0 ? [`- Other fields, left out: ${omittedFields.map(quote).join(', ')}`] : []),
    `- Loaded ${isoUtc(read.readAt)}, request ID ${idOf(read.requestId)}`,
  ];
}

function factLine(paymentKind: PaymentKind, { name, kind, value }: CaseFact, asset: string | null): string {
  const line = `- ${kind === 'other' ? quote(name) : name}: ${valueOf(kind, value)}`;
  if (kind === 'amount' && isAmount(value) && asset !== null) return `${line} ${quote(visibleCode(asset))}`;
  if (kind !== 'status') return line;
  return `${line}. ${statusMeaning(paymentKind, value === undefined || value === null ? null : textOrJson(value))}`;
}

function valueOf(kind: CaseFact['kind'], value: unknown): string {
  if (value === undefined) return 'not provided';
  if (value === null) return 'null';
  switch (kind) {
    case 'id':
      return codeSpan(textOrJson(value));
    case 'amount':
    case 'movement':
      return isAmount(value) ? codeSpan(value) : 'left out: it is no decimal string';
    case 'time':
      return isPlausibleTime(value)
        ? `${isoUtc(value)} (Unix ${value})`
        : `${quote(textOrJson(value))}, which is no time`;
    case 'address':
    case 'hash':
      return textOrJson(value) === '' ? '(empty)' : codeSpan(textOrJson(value));
    case 'code':
      return quote(visibleCode(textOrJson(value)));
    case 'word':
    case 'chain':
    case 'status':
    case 'other':
      break;
  }
  return quote(textOrJson(value));
}

function historyLines({ history }: CaseFile): string[] {
  if (history.status !== 'ready') return [`The operations were not loaded (${history.status}).`];
  if (history.parts.length === 0) return ['Nothing was sent from here for this payment.'];
  return history.parts.flatMap(partLines);
}

function partLines(part: HistoryPart, at: number): string[] {
  const { kind, relation, state, recordedAt, key, shownKey = key, approvals, attempts, ending } = part;
  return [
    `${at + 1}. ${kind}. ${relation}`,
    `   - State: ${state}. Recorded ${isoUtc(recordedAt)} by the provider's clock. Idempotency-Key ${codeSpan(shownKey)}`,
    ...approvals.map(({ name, at: approvedAt }) => `   - Approved by ${quote(name)}, ${isoUtc(approvedAt)}`),
    ...(attempts.length === 0 ? ['   - No attempt: nothing was sent.'] : []),
    ...attempts.map(({ start, end, automatic, outcome, message, requestId, replayed }, number) => {
      const lasted = end === null ? '' : `, ${took(start, end)}`;
      const words = [
        `   - Attempt ${number + 1}, ${isoMs(start)}${automatic ? ', by itself' : ''}${lasted}: ${outcomeOf(outcome)}`,
        ...(message === null ? [] : [`message ${quote(message)}`]),
        ...(replayed ? ['replayed'] : []),
        `request ID ${idOf(requestId)}`,
      ];
      return words.join('; ');
    }),
    ...(ending
      ? [`   - ${ending.how}, ${isoMs(ending.at)}${ending.words === '' ? '' : `: ${quote(ending.words)}`}`]
      : []),
  ];
}

function ledgerLines({ ledger }: CaseFile): string[] {
  if (ledger.kind === 'reading') return ['Still loading when this file was made.'];
  if (ledger.kind === 'not-asked') return [LEDGER_NOT_ASKED];
  if (ledger.kind === 'none')
    return [ledger.words + (ledger.said === null ? '' : ` The provider said: ${quote(ledger.said)}`)];
  const word = (value: unknown): string =>
    value === undefined || value === null ? 'not provided' : quote(textOrJson(value));
  const lines = ledger.entries.map(({ id, created_at, asset, amount, type, book }) => {
    const when = valueOf('time', created_at);
    return `- ${when}: ${valueOf('amount', amount)} ${word(typeof asset === 'string' ? visibleCode(asset) : asset)}, type ${word(type)}, book ${word(book)}, ${codeSpan(id)}`;
  });
  return [
    ...lines,
    ...(lines.length > 0 ? [''] : []),
    `${ledgerSummary(ledger)} Loaded ${isoUtc(ledger.readAt)}, request ID ${idOf(ledger.requestId)}.`,
  ];
}

function callLines({ calls: { calls, more } }: CaseFile): string[] {
  if (calls.length === 0) return ['No API calls about this payment in this tab.'];
  return [
    ...(more > 0 ? [`${more} earlier ones are left out.`, ''] : []),
    ...calls.map(({ at, method, path, outcome, ms, requestId, replayed }) => {
      const lasted = ms === null ? '' : `, ${ms} ms`;
      return `- ${isoMs(at)} ${method} ${quote(path)}: ${outcome}${lasted}; request ID ${idOf(requestId)}${replayed ? '; replayed' : ''}`;
    }),
  ];
}

function outcomeOf(outcome: string): string {
  const plain = plainOrCode(outcome);
  return plain === outcome ? plain : quote(outcome);
}

function idOf(requestId: string | null): string {
  return requestId === null ? 'none' : codeSpan(requestId, 100);
}

/**
 * Untrusted text as one Markdown code span on one line: hidden characters are made visible and nothing in it can be
 * read as Markdown.
 */
export function codeSpan(text: string, max = 200): string {
  const clipped = text.length > max ? `${text.slice(0, max)}…` : text;
  // A backtick would end the code span; a bar ends a table cell even inside one.
  const line = revealHidden(clipped)
    .replace(/[\t\n]+/g, ' ')
    .replaceAll('`', '⟨U+0060⟩')
    .replaceAll('|', '⟨U+007C⟩');
  return /\S/.test(line) ? `\`${line}\`` : '(empty)';
}

/** Our own words may contain a code from the service: plain text stays as it is, anything else becomes a code span. */
export function plainOrCode(text: string): string {
  return /^[A-Za-z0-9](?:[A-Za-z0-9,:;()’' –-]|_(?=[A-Za-z0-9])|\.(?=\s|$))*$/.test(text) && !/:\/|  /.test(text)
    ? text
    : codeSpan(text, 300);
}
