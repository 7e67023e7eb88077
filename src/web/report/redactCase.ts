import { LEFT_OUT, redact, redactId } from '#src/shared/redact.ts';
import { textOrJson } from '#src/shared/text.ts';
import type { CaseFact, CaseFile, CasePayment, LedgerPart } from './caseFile.ts';
import { NOTE_FIELDS } from './PaymentNote.tsx';
import type { TimelineProof, TimelineStep } from './timeline.ts';

const HEAD = 6;
const TAIL = 4;
const KEY_HEAD = 8;
/** The redacted form of a shorter address would show almost all of it. */
const ADDRESS_LENGTH_MIN = 16;
/** Shorter texts may be ordinary words. */
const SECRET_LENGTH_MIN = 8;

export const REDACTION =
  'Shortened for sharing: addresses and hashes to their first 6 and last 4 characters, Idempotency-Keys to their first 8. Unknown fields, the raw response, and amounts, addresses, hashes and keys in free text are left out. It never contains an API key.';

export function shortAddress(text: string): string {
  const letters = Array.from(text);
  if (letters.length < ADDRESS_LENGTH_MIN) return LEFT_OUT;
  return `${letters.slice(0, HEAD).join('')}…${letters.slice(-TAIL).join('')}`;
}

function shortKey(key: string): string {
  const letters = Array.from(key);
  return letters.length < 2 * KEY_HEAD ? LEFT_OUT : `${letters.slice(0, KEY_HEAD).join('')}…`;
}

/** The copy that may be sent outside the team. Only this function redacts; the page and the Markdown render its result. */
export function redactCase(file: CaseFile): CaseFile {
  const facts = file.payment?.facts ?? [];
  const secrets = [
    ...facts.filter(isSecret).map(({ value }) => textOrJson(value)),
    ...file.history.parts.map(({ key }) => key),
  ].filter(({ length }) => length >= SECRET_LENGTH_MIN);
  const withoutSecrets = (text: string) => secrets.reduce((left, each) => left.replaceAll(each, LEFT_OUT), text);
  const redactText = (text: string) => redact(withoutSecrets(text));
  // An HTTP status followed by a code in capitals would be mistaken for an amount with its asset.
  const redactOutcome = (text: string) => {
    const [status = ''] = /^[1-5]\d\d /.exec(text) ?? [];
    return status + redactText(text.slice(status.length));
  };
  // Parts of a path are IDs or times, never amounts.
  const redactPath = (path: string) => withoutSecrets(path).replace(/[^/?&=]+/g, redactId);
  const { absence, recipient, history, steps, note, ledger, calls } = file;
  return {
    ...file,
    isRedacted: true,
    payment: file.payment && redactPayment(file.payment, redactText),
    absence: absence && { ...absence, said: absence.said === null ? null : redactText(absence.said) },
    recipient: recipient === null ? null : redactText(recipient),
    history: {
      ...history,
      parts: history.parts.map((part) => ({
        ...part,
        state: redactText(part.state),
        shownKey: shortKey(part.key),
        attempts: part.attempts.map((attempt) => ({
          ...attempt,
          outcome: redactOutcome(attempt.outcome),
          message: attempt.message === null ? null : redactText(attempt.message),
        })),
        ending: part.ending && { ...part.ending, words: redactText(part.ending.words) },
      })),
    },
    steps: steps.map((step) => redactStep(step, redactOutcome)),
    note: note && {
      ...note,
      ...Object.fromEntries(
        NOTE_FIELDS.map(({ name, rows, most }) => {
          const text = withoutSecrets(note[name] ?? '');
          return [name, rows === 1 ? redactId(text) : redact(text, most)];
        }),
      ),
    },
    ledger: redactLedger(ledger, redactOutcome),
    calls: { ...calls, calls: calls.calls.map((call) => ({ ...call, path: redactPath(call.path) })) },
  };
}

function redactPayment(payment: CasePayment, redactText: (text: string) => string): CasePayment {
  const { facts } = payment;
  return {
    ...payment,
    facts: facts.filter(({ kind }) => kind !== 'other').map((fact) => redactFact(fact, redactText)),
    omittedFields: facts.filter(({ kind }) => kind === 'other').map(({ name }) => redactText(name)),
    row: null,
  };
}

function redactLedger(ledger: LedgerPart, redactText: (text: string) => string): LedgerPart {
  if (ledger.kind === 'none') return { ...ledger, said: ledger.said === null ? null : redactText(ledger.said) };
  if (ledger.kind !== 'read') return ledger;
  const redactUnknown = (value: unknown): unknown => (typeof value === 'string' ? redactText(value) : value);
  return {
    ...ledger,
    entries: ledger.entries.map((entry) => ({
      ...entry,
      type: redactUnknown(entry['type']),
      book: redactUnknown(entry['book']),
    })),
  };
}

function isSecret({ kind, value }: CaseFact): boolean {
  return (kind === 'address' || kind === 'hash') && value !== undefined;
}

function redactFact(field: CaseFact, redactText: (text: string) => string): CaseFact {
  const { kind, value } = field;
  if (value === undefined || value === null || kind === 'id' || kind === 'amount' || kind === 'movement') return field;
  if (isSecret(field)) return { ...field, value: textOrJson(value) === '' ? value : shortAddress(textOrJson(value)) };
  return typeof value === 'number' ? field : { ...field, value: redactText(textOrJson(value)) };
}

function redactStep(step: TimelineStep, redactText: (text: string) => string): TimelineStep {
  const [first, ...more] = step.proofs;
  return {
    ...step,
    what: redactText(step.what),
    notes: step.notes.map((note) => (typeof note === 'string' ? redactText(note) : note)),
    proofs: [redactProof(first), ...more.map(redactProof)],
  };
}

function redactProof(proof: TimelineProof): TimelineProof {
  if (proof.kind === 'hash') return { ...proof, hash: shortAddress(proof.hash), chain: null };
  return proof.kind === 'operation' ? { ...proof, shown: shortKey(proof.key) } : proof;
}
