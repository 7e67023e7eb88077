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

/** Stop indenting at this depth: deeply nested lists would be mostly indentation. */
const DEEPEST_INDENT = 20;

/** A value of parseExact as JSON, numbers as they were written; everything else as JSON.stringify writes it. */
export function stringifyExact(value: unknown, indent = 0): string {
  // A list of what is open, not a call for each: depth costs no stack, for it does not in JSON.parse either.
  const open: Open[] = [];
  const newLine = () => (indent === 0 ? '' : `\n${' '.repeat(indent * Math.min(open.length, DEEPEST_INDENT))}`);
  const colon = indent === 0 ? ':' : ': ';
  let text = '';
  let next = value;
  for (;;) {
    if (typeof next !== 'object' || next === null || isExactNumber(next)) text += writtenAlone(next);
    else {
      const holder = openOf(next);
      text += holder.names === null ? '[' : '{';
      open.push(holder);
    }
    let holder = open.at(-1);
    while (holder !== undefined && holder.at === holder.values.length) {
      open.pop();
      text += (holder.at === 0 ? '' : newLine()) + (holder.names === null ? ']' : '}');
      holder = open.at(-1);
    }
    if (holder === undefined) return text;
    const { names, values, at } = holder;
    text += (at === 0 ? '' : ',') + newLine() + (names === null ? '' : JSON.stringify(names[at]) + colon);
    next = values[at];
    holder.at += 1;
  }
}

/** A list or an object that is being written; a list has no names. */
interface Open {
  names: string[] | null;
  values: unknown[];
  at: number;
}

function openOf(holder: object): Open {
  if (Array.isArray(holder)) return { names: null, values: holder, at: 0 };
  const members = Object.entries(holder).filter(([, value]) => value !== undefined);
  return { names: members.map(([name]) => name), values: members.map(([, value]): unknown => value), at: 0 };
}

/** Values without a JSON form, such as undefined in a list, become null as in JSON.stringify. */
function writtenAlone(value: unknown): string {
  return isExactNumber(value) ? value.toString() : (JSON.stringify(value) ?? 'null');
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
