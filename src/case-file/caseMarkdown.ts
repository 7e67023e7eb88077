import { statusMeaning } from '#src/lib/paymentStatus.ts';
import { isAmount } from '#src/lib/amount.ts';
import { codeSpan, plainOrCode } from '#src/lib/markdown.ts';
import type { StoryPart } from '#src/lib/story.ts';
import { asText } from '#src/lib/text.ts';
import { isoMs, isoUtc, isPlausibleTime, took } from '#src/lib/time.ts';
import { type CaseField, type CaseFile, fieldsOf } from './caseFile.ts';
import { shortAddress, shortKey, withoutSecrets } from './redacted.ts';

/** The rule, as the file itself says it. */
export const REDACTION =
  'Redacted: of addresses and transaction hashes the first 6 and last 4 characters stand, of idempotency keys the first 8. Fields that the interface does not state are named without their values. In words of the service and of people, amounts and whatever looks like an address, a hash or a key are left out. The raw answer is not in it, and no API key is.';

/** A case file as Markdown to be pasted into a ticket: ids, times in UTC, statuses, amounts and what was tried; redacted. */
export function caseMarkdown(file: CaseFile, madeAt: string): string {
  const { of, id, found, absence, who } = file;
  const told = tellerOf(file);
  const lines = [
    `# Case file: ${of} ${codeSpan(id)}`,
    '',
    `- Made ${madeAt} by Countinghouse, with account ${codeSpan(who.account.slice(0, 8))}${who.name === undefined ? '' : ` (${codeSpan(who.name)})`} at ${codeSpan(who.service)}`,
    '- All times are UTC.',
    `- ${REDACTION}`,
    ...section('What it is', [
      ...(absence
        ? [`- ${absence.words} Looked at ${isoUtc(absence.at)}, request id ${idOf(absence.requestId)}.`]
        : []),
      ...(absence?.said ? [`- The service said: ${told(absence.said)}`] : []),
      ...(found || absence ? [] : ['- It was not read when this file was made.']),
      ...(found ? fieldLines(file, told) : []),
      ...(found ? [`- Read ${isoUtc(found.read.readAt)}, request id ${idOf(found.read.requestId)}`] : []),
    ]),
    ...section('What was tried from here', storyLines(file, told)),
    ...section('Ledger entries', ledgerLines(file, told)),
    ...section('What was read in this session', callLines(file, told)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Shorter ones are words like any other. */
const SECRET_LEAST = 8;

type Teller = (text: string) => string;

/** Redacts known secrets from other people's text. */
function tellerOf(file: CaseFile): Teller {
  const fields = fieldsOf(file).filter(
    ({ kind, value }) => (kind === 'address' || kind === 'hash') && value !== undefined,
  );
  const secrets = [...fields.map(({ value }) => asText(value)), ...file.story.parts.map(({ key }) => key)].filter(
    ({ length }) => length >= SECRET_LEAST,
  );
  return (text) => codeSpan(withoutSecrets(text, secrets), 300);
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, '', ...lines];
}

function fieldLines(file: CaseFile, told: Teller): string[] {
  const fields = fieldsOf(file);
  const others = fields.filter(({ kind }) => kind === 'other').map(({ name }) => told(name));
  return [
    ...fields.flatMap((field) => (field.kind === 'other' ? [] : [fieldLine(file, field, told)])),
    ...(others.length > 0 ? [`- Other fields, left out: ${others.join(', ')}`] : []),
  ];
}

function fieldLine({ of, found }: CaseFile, { name, kind, value }: CaseField, told: Teller): string {
  // A name that stands here is one of ours.
  const line = `- ${name}: ${valueOf(kind, value, told)}`;
  const asset = found?.row.asset ?? null;
  if (kind === 'amount' && isAmount(value) && asset !== null) return `${line} ${told(asset)}`;
  if (kind !== 'status') return line;
  return `${line}. ${statusMeaning(of, value === undefined || value === null ? null : asText(value))}`;
}

function valueOf(kind: CaseField['kind'], value: unknown, told: Teller): string {
  if (value === undefined) return 'not in the answer';
  if (value === null) return 'null';
  switch (kind) {
    case 'id':
      return codeSpan(asText(value));
    case 'amount':
    case 'movement':
      return isAmount(value) ? codeSpan(value) : 'left out: it is no decimal string';
    case 'time':
      return isPlausibleTime(value) ? `${isoUtc(value)} (Unix ${value})` : `${told(asText(value))}, which is no time`;
    case 'address':
    case 'hash':
      return asText(value) === '' ? '(empty)' : codeSpan(shortAddress(asText(value)));
    case 'word':
    case 'status':
    case 'other':
      break;
  }
  return told(asText(value));
}

function storyLines({ story }: CaseFile, told: Teller): string[] {
  if (story.status !== 'ready') return [`The operations were not loaded (${story.status}).`];
  if (story.parts.length === 0) return ['No operation recorded here has to do with it.'];
  return story.parts.flatMap((part, at) => partLines(part, at, told));
}

function partLines(part: StoryPart, at: number, told: Teller): string[] {
  const { kind, relation, state, recordedAt, key, attempts, ending } = part;
  return [
    `${at + 1}. ${kind}. ${relation}`,
    `   - State: ${state}. Recorded ${isoUtc(recordedAt)} by the service's clock. Idempotency-Key ${codeSpan(shortKey(key))}`,
    ...(attempts.length === 0 ? ['   - No attempt: nothing was sent.'] : []),
    ...attempts.map(({ start, end, automatic, outcome, message, requestId, replayed }, number) => {
      const lasted = end === null ? '' : `, ${took(start, end)}`;
      const words = [
        `   - Attempt ${number + 1}, ${isoMs(start)}${automatic ? ', by itself' : ''}${lasted}: ${outcomeOf(outcome, told)}`,
        ...(message === null ? [] : [`message ${told(message)}`]),
        ...(replayed ? ['replayed'] : []),
        `request id ${idOf(requestId)}`,
      ];
      return words.join('; ');
    }),
    ...(ending
      ? [`   - ${ending.how}, ${isoMs(ending.at)}${ending.words === '' ? '' : `: ${told(ending.words)}`}`]
      : []),
  ];
}

function ledgerLines({ ledger }: CaseFile, told: Teller): string[] {
  if (ledger.kind === 'reading') return ['Still being read when this file was made.'];
  if (ledger.kind === 'not-asked') return ['Not asked for: the id is too long to be a filter.'];
  if (ledger.kind === 'none')
    return [ledger.words + (ledger.said === null ? '' : ` The service said: ${told(ledger.said)}`)];
  const word = (value: unknown): string => (value === undefined || value === null ? 'not stated' : told(asText(value)));
  const lines = ledger.entries.map(({ id, created_at, asset, amount, type, book }) => {
    const when = valueOf('time', created_at, told);
    return `- ${when}: ${valueOf('amount', amount, told)} ${word(asset)}, type ${word(type)}, book ${word(book)}, ${codeSpan(id)}`;
  });
  return [
    ...lines,
    ...(lines.length > 0 ? [''] : []),
    `${ledgerEnd(ledger)} Read ${isoUtc(ledger.readAt)}, request id ${idOf(ledger.requestId)}.`,
  ];
}

/** How far the ledger was read, in words. */
export function ledgerEnd({ entries, more, unrelated }: Extract<CaseFile['ledger'], { kind: 'read' }>): string {
  const words = [
    entries.length === 0
      ? 'No entry names it.'
      : `${entries.length} ${entries.length === 1 ? 'entry names' : 'entries name'} it.`,
  ];
  if (unrelated > 0) words.push(`${unrelated} more came that do not name it, and are not shown.`);
  words.push(more ? 'The service has more: this is its first page.' : 'The service says that these are all.');
  return words.join(' ');
}

function callLines({ calls: { calls, more } }: CaseFile, told: Teller): string[] {
  if (calls.length === 0) return ['No call since this page was loaded names it.'];
  return [
    ...(more > 0 ? [`${more} earlier ones are left out.`, ''] : []),
    ...calls.map(({ at, method, path, outcome, ms, requestId, replayed }) => {
      const lasted = ms === null ? '' : `, ${ms} ms`;
      return `- ${isoMs(at)} ${method} ${told(path)}: ${outcome}${lasted}; request id ${idOf(requestId)}${replayed ? '; replayed' : ''}`;
    }),
  ];
}

function outcomeOf(outcome: string, told: Teller): string {
  const plain = plainOrCode(outcome);
  return plain === outcome ? plain : told(outcome);
}

function idOf(requestId: string | null): string {
  return requestId === null ? 'none' : codeSpan(requestId, 100);
}
