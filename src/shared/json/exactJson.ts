// JSON without losing a digit. A number that JavaScript would print differently (1e400, 12.50, 0.0000001, -0, twenty
// digits) is kept as its text in a boxed string: no parsed JSON value is one, structuredClone and IndexedDB preserve it,
// and its digits are right even if something other than stringifyExact prints it.

type ExactNumber = InstanceType<typeof String>;

/** Every number but integers of up to 15 digits. It also matches inside strings, which only costs time. */
const NUMBERS = /(?:^|[:,[])\s*(-0[\d.eE+-]*|-?\d{16}[\d.eE+-]*|-?\d+[.eE][\d.eE+-]*)/g;
/** Numbers; strings are matched too, to skip them. */
const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Parses JSON and keeps every digit of every number; throws what JSON.parse throws. */
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

/** A value from parseExact as JSON, numbers as they were written, the rest as in JSON.stringify. */
export function stringifyExact(value: unknown, indent = 0): string {
  // An explicit stack instead of recursion: JSON.parse accepts any depth, so this must as well.
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

/** A list or object being written; `names` is null for a list. */
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

/** Passes a number that JavaScript would change through JSON.parse as a string with an unguessable prefix. */
function parseBoxed(text: string): unknown {
  const mark = String(Math.random());
  const marked = text.replace(STRINGS_AND_NUMBERS, (token) =>
    token.startsWith('"') || isHeld(token) ? token : `"${mark}${token}"`,
  );
  const top: unknown[] = [JSON.parse(marked)];
  // An explicit stack instead of a reviver: a reviver recurses, and JSON.parse itself accepts any depth.
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
