import { isExactNumber } from '#src/lib/exactJson.ts';

/** A JSON value as text with its members in order, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  if (isExactNumber(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`).join(',')}}`;
}

/** How deep a text nests objects and arrays, JSON or not. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, (depth += 1));
    else if (token === '}' || token === ']') depth -= 1;
  }
  return deepest;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/** A member that one object of a valid JSON text names twice; null: none. JSON.parse keeps the last one and says nothing. */
export function duplicateMember(text: string): string | null {
  // A set for each open object, null for each open array.
  const open: (Set<string> | null)[] = [];
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token);
  for (const [at, token] of tokens.entries()) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token.startsWith('"') && tokens[at + 1] === ':') {
      const names = open.at(-1);
      const name: string = JSON.parse(token);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return null;
}
