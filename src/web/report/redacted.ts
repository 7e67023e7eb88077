import { LEFT_OUT, redact, redactId } from '#src/shared/redact.ts';
import { asText } from '#src/shared/text.ts';
import { type CaseField, type CaseFile, fieldsOf, type LedgerPart } from './caseFile.ts';
import { NOTE_FIELDS } from './PaymentNote.tsx';
import type { Proof, Step } from './timeline.ts';

const HEAD = 6;
const TAIL = 4;
const KEY_HEAD = 8;
/** Shorter ones would be nearly whole. */
const ADDRESS_LEAST = 16;
/** Shorter ones are words like any other. */
const SECRET_LEAST = 8;

export const REDACTION =
  'Redacted copy: addresses and hashes are shortened to their first 6 and last 4 characters, Idempotency-Keys to their first 8. Unknown fields and the raw response are left out; so are amounts, addresses, hashes and keys in free text. No API key is in it.';

export function shortAddress(text: string): string {
  const letters = Array.from(text);
  if (letters.length < ADDRESS_LEAST) return LEFT_OUT;
  return `${letters.slice(0, HEAD).join('')}…${letters.slice(-TAIL).join('')}`;
}

function shortKey(key: string): string {
  const letters = Array.from(key);
  return letters.length < 2 * KEY_HEAD ? LEFT_OUT : `${letters.slice(0, KEY_HEAD).join('')}…`;
}

/** A case file as others may have it; nothing that writes it needs to know what is secret. */
export function redactedCase(file: CaseFile): CaseFile {
  const facts = fieldsOf(file);
  const secrets = [
    ...facts.filter(isSecret).map(({ value }) => asText(value)),
    ...file.history.parts.map(({ key }) => key),
  ].filter(({ length }) => length >= SECRET_LEAST);
  const withoutSecrets = (text: string) => secrets.reduce((left, each) => left.replaceAll(each, LEFT_OUT), text);
  const tell = (text: string) => redact(withoutSecrets(text));
  // A code in capitals would look like an asset behind its status.
  const tellOutcome = (text: string) => {
    const [status = ''] = /^[1-5]\d\d /.exec(text) ?? [];
    return status + tell(text.slice(status.length));
  };
  // A whole part of it is an id or a time, whatever its digits.
  const tellPath = (path: string) => withoutSecrets(path).replace(/[^/?&=]+/g, redactId);
  const { absence, history, steps, note, ledger, calls } = file;
  return {
    ...file,
    redacted: {
      fields: facts.flatMap((field) => (field.kind === 'other' ? [] : [redactedField(field, tell)])),
      leftOut: facts.flatMap(({ name, kind }) => (kind === 'other' ? [tell(name)] : [])),
    },
    absence: absence && { ...absence, said: absence.said === null ? null : tell(absence.said) },
    history: {
      ...history,
      parts: history.parts.map((part) => ({
        ...part,
        state: tell(part.state),
        shownKey: shortKey(part.key),
        attempts: part.attempts.map((attempt) => ({
          ...attempt,
          outcome: tellOutcome(attempt.outcome),
          message: attempt.message === null ? null : tell(attempt.message),
        })),
        ending: part.ending && { ...part.ending, words: tell(part.ending.words) },
      })),
    },
    steps: steps.map((step) => redactedStep(step, tellOutcome)),
    note: note && {
      ...note,
      ...Object.fromEntries(
        NOTE_FIELDS.map(({ name, rows, most }) => {
          const text = withoutSecrets(note[name] ?? '');
          return [name, rows === 1 ? redactId(text) : redact(text, most)];
        }),
      ),
    },
    ledger: redactedLedger(ledger, tellOutcome),
    calls: { ...calls, calls: calls.calls.map((call) => ({ ...call, path: tellPath(call.path) })) },
  };
}

function redactedLedger(ledger: LedgerPart, tell: (text: string) => string): LedgerPart {
  if (ledger.kind === 'none') return { ...ledger, said: ledger.said === null ? null : tell(ledger.said) };
  if (ledger.kind !== 'read') return ledger;
  const tellAny = (value: unknown): unknown => (typeof value === 'string' ? tell(value) : value);
  return {
    ...ledger,
    entries: ledger.entries.map((entry) => ({ ...entry, type: tellAny(entry['type']), book: tellAny(entry['book']) })),
  };
}

function isSecret({ kind, value }: CaseField): boolean {
  return (kind === 'address' || kind === 'hash') && value !== undefined;
}

function redactedField(field: CaseField, tell: (text: string) => string): CaseField {
  const { kind, value } = field;
  if (value === undefined || value === null || kind === 'id' || kind === 'amount' || kind === 'movement') return field;
  if (isSecret(field)) return { ...field, value: asText(value) === '' ? value : shortAddress(asText(value)) };
  return typeof value === 'number' ? field : { ...field, value: tell(asText(value)) };
}

function redactedStep(step: Step, tell: (text: string) => string): Step {
  const [first, ...more] = step.proofs;
  return {
    ...step,
    what: tell(step.what),
    notes: step.notes.map((note) => (typeof note === 'string' ? tell(note) : note)),
    proofs: [redactedProof(first), ...more.map(redactedProof)],
  };
}

function redactedProof(proof: Proof): Proof {
  if (proof.kind === 'hash') return { ...proof, hash: shortAddress(proof.hash), chain: null };
  return proof.kind === 'operation' ? { ...proof, shown: shortKey(proof.key) } : proof;
}
