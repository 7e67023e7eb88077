import { parseJson } from '#src/lib/answers.ts';
import type { KeptText } from '#src/api/keptText.ts';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { outcomeWords } from '#src/api/outcomeWords.ts';

/**
 * A POST for reading, and for nothing else: pasted into a shell a day later, the same key would pay again. Every line is
 * a comment; because interactive zsh knows no comments, no line holds a character that makes a shell act either.
 */
export function textRecord(record: RequestRecord): string {
  const lines = [
    inert('A record of one request, to be read. It is no command.'),
    inert(`${record.method} ${record.path}`),
    inert(`Started ${new Date(record.at).toISOString()}, ${outcomeWords(record)}, ${record.ms ?? 0} ms`),
    ...record.headers.map(([name, value]) => inert(`${name}: ${value}`)),
    ...bodyLines('Body', record.body),
    inert(`Request-Id: ${record.requestId ?? 'none'}`),
    inert(`Idempotency-Replayed: ${record.replayed ? 'true' : 'no'}`),
    ...bodyLines('Response', record.answer?.body ?? null),
  ];
  return lines.map((line) => `# ${line}\n`).join('');
}

function bodyLines(label: string, kept: KeptText | null): string[] {
  if (kept === null || kept.text === null) return [`${label}: not kept`];
  const count = `${kept.text.length} of ${kept.length} characters`;
  const json = kept.text.length === kept.length && parseJson(kept.text) !== undefined;
  return [`${label}, ${json ? 'as JSON, ' : ''}${count}:`, json ? inertJson(kept.text) : inert(kept.text)];
}

// Letters and digits of any script, space, and marks that mean nothing to a shell inside a word.
const PLAIN = /[^\p{L}\p{N} _./:,@%+=-]/gu;
// What JSON is made of, beside those; braces, brackets and quotes come in pairs in it.
const JSON_PLAIN = /[^\p{L}\p{N} _./:,@%+={}[\]"\\-]/gu;

/** One line that no shell acts on: any other character by its number. */
function inert(text: string): string {
  return text.replace(PLAIN, (letter) => `⟨U+${codeOf(letter).padStart(4, '0')}⟩`);
}

/** The same JSON in one line: letters that a shell acts on stand only in strings, where they can be written by number. */
function inertJson(text: string): string {
  const oneLine = text.replace(/[\t\r\n]/g, ' ');
  return oneLine.replace(JSON_PLAIN, (letter) =>
    Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}

function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase();
}
