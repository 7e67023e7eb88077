import { parseJson } from '#src/shared/answers.ts';

/** A string, number, word or punctuation mark of JSON. */
const LEXEME = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON with line breaks and indentation; every token unchanged, numbers to the last digit. Null for invalid JSON. */
export function indentJson(text: string): string | null {
  if (parseJson(text) === undefined) return null;
  let depth = 0;
  let made = '';
  let before = '';
  for (const [part] of text.matchAll(LEXEME)) {
    const closes = part === '}' || part === ']';
    if (closes) depth -= 1;
    const empty = closes && (before === '{' || before === '[');
    const breaks = before === '{' || before === '[' || before === ',' || closes;
    if (breaks && !empty) made += `\n${'  '.repeat(Math.min(depth, 20))}`;
    made += part === ':' ? ': ' : part;
    if (part === '{' || part === '[') depth += 1;
    before = part;
  }
  return made;
}
