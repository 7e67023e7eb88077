// JSON with the source of its numbers (ECMAScript 2026): TypeScript's library does not describe it yet, and an older
// browser does not have it.
declare global {
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON?: (text: string) => object;
    isRawJSON?: (value: unknown) => boolean;
  }
}

/** A number that may not be what it was once it is read: sixteen digits, a closing zero behind the point, an exponent. */
const SUSPECT = /[:,[]\s*-?(?:[\d.]{16}|\d+\.\d*0(?!\d|\.)|[\d.]+[eE])/;

/**
 * The value of a JSON text. A number whose digits a double would change is kept as text that JSON.stringify gives back as
 * it came (where the browser knows how); throws what JSON.parse throws.
 */
export function parseExact(text: string): unknown {
  const { rawJSON } = JSON;
  if (!rawJSON || !SUSPECT.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source }) => {
    const changed = typeof value === 'number' && !Number.isSafeInteger(value) && String(value) !== source;
    return changed && source !== undefined ? rawJSON(source) : value;
  });
}

/** Whether parseExact kept it because no number of this language holds it. */
export function isExactNumber(value: unknown): boolean {
  return JSON.isRawJSON?.(value) ?? false;
}
