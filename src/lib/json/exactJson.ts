// JSON without the loss of a digit. A number that this language would print otherwise than it was written (1e400, 12.50,
// 0.0000001, -0, twenty digits) is kept as its text in a boxed string: no JSON value reads as one, structuredClone and
// IndexedDB keep it, and wherever it is printed by other means than stringifyExact its digits are still right.

type ExactNumber = InstanceType<typeof String>;

/** Every number of a JSON text but whole ones of up to 15 digits; one inside a string is found too, which costs time and nothing else. */
const NUMBERS = /(?:^|[:,[])\s*(-0[\d.eE+-]*|-?\d{16}[\d.eE+-]*|-?\d+[.eE][\d.eE+-]*)/g;
/** Strings, so that they are passed over, and numbers. */
const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** The value of a JSON text, every number with its digits; throws what JSON.parse throws. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  for (const [, number = ''] of text.matchAll(NUMBERS)) if (!isHeld(number)) return parseBoxed(text);
  return value;
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && Object.prototype.toString.call(value) === '[object String]';
}

/** A value of parseExact as JSON, numbers as they were written; everything else as JSON.stringify writes it. */
export function stringifyExact(value: unknown, indent = 0): string {
  return written(value, ' '.repeat(indent), '\n');
}

function isHeld(number: string): boolean {
  return String(Number(number)) === number;
}

/** The value of what JSON.parse takes: a number that is not held goes through it as a string with a mark that nobody foresees. */
function parseBoxed(text: string): unknown {
  const mark = String(Math.random());
  const marked = text.replace(STRINGS_AND_NUMBERS, (token) =>
    token.startsWith('"') || isHeld(token) ? token : `"${mark}${token}"`,
  );
  const top: unknown[] = [JSON.parse(marked)];
  // A list of what is open, not a reviver: depth costs no stack, for it does not in JSON.parse either.
  const holders: object[] = [top];
  for (const holder of holders) {
    for (const name of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, name);
      if (typeof value === 'string' && value.startsWith(mark)) {
        Reflect.set(holder, name, new String(value.slice(mark.length)));
      } else if (typeof value === 'object' && value !== null) holders.push(value);
    }
  }
  return top[0];
}

function written(value: unknown, step: string, line: string): string {
  if (isExactNumber(value)) return value.toString();
  // What JSON has no word for, such as undefined in a list, is null as JSON.stringify has it.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = line + step;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item) => written(item, step, inner))]
    : ['{', '}', membersOf(value, step, inner)];
  if (parts.length === 0) return open + close;
  return step === '' ? open + parts.join(',') + close : `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`;
}

function membersOf(object: object, step: string, inner: string): string[] {
  const colon = step === '' ? ':' : ': ';
  return Object.entries(object).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [JSON.stringify(name) + colon + written(value, step, inner)],
  );
}
