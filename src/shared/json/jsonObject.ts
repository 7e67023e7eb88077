import { isObject } from '#src/shared/answers.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { revealHidden } from '#src/shared/text.ts';
import { parseExact } from './exactJson.ts';

export type ParsedObject = { ok: true; object: Record<string, unknown> } | { ok: false; reason: string };

/** Maximum nesting in JSON from a person or a page: deeper values could overflow the stack of recursive code. */
export const JSON_DEPTH_MAX = 100;
/** Every string, with the colon after it if it is a name. */
const STRINGS = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g;

/** Parses a JSON object, every number to the digit. A name that occurs twice is refused: a reader could take either value. */
export function parseObject(text: string): ParsedObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const place = (/line \d+ column \d+/.exec(String(error)) ?? /position \d+/.exec(String(error)))?.[0];
    return { ok: false, reason: `This isn’t valid JSON${place === undefined ? '' : `, at ${place}`}.` };
  }
  if (isDeeper(value)) return { ok: false, reason: `This is nested deeper than ${JSON_DEPTH_MAX} levels.` };
  const object = parseExact(text);
  if (!isObject(object)) return { ok: false, reason: 'This must be one JSON object, in braces: { }' };
  const twice = nameGivenTwice(text, object);
  if (twice !== undefined) return { ok: false, reason: `“${revealHidden(twice)}” is there twice.` };
  return { ok: true, object };
}

/** Whether a value is nested deeper than `levels`. */
export function isDeeper(value: unknown, levels = JSON_DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Parsing keeps one member per name, so the text has more names than the value if one occurs twice. */
function nameGivenTwice(text: string, object: object): string | undefined {
  const parsedNames = groupBy(namesIn(object), (name) => name);
  const names = Array.from(text.matchAll(STRINGS)).flatMap(([, name = '', colon]) =>
    colon ? [String(JSON.parse(name))] : [],
  );
  const written = Array.from(groupBy(names, (name) => name));
  return written.find(([name, all]) => all.length > (parsedNames.get(name)?.length ?? 0))?.[0];
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : [];
}
