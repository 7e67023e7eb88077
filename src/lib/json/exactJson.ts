// JSON without the loss of a digit. A number that this language would print otherwise than it was written (1e400, 12.50,
// 0.0000001, -0, twenty digits) is kept as its text in a boxed string: no JSON value reads as one, structuredClone and
// IndexedDB keep it, and wherever it is printed by other means than stringifyExact its digits are still right.

type ExactNumber = InstanceType<typeof String>;

/** Every number of a JSON text; a text that looks like one inside a string is found too, which costs time and nothing else. */
const NUMBERS = /(?:^|[:,[])\s*(-?\d[\d.eE+-]*)/g;
/** true, false, null or a number. */
const PLAIN = /[^\s,:{}[\]"]+/y;

/** The value of a JSON text, every number with its digits; throws what JSON.parse throws. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  for (const [, number = ''] of text.matchAll(NUMBERS)) if (!isHeld(number)) return built(text);
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

type Holder = unknown[] | Record<string, unknown>;

/** The value of what JSON.parse takes; depth costs no stack, for it does not there either. */
function built(text: string): unknown {
  const top: unknown[] = [];
  const outer: Holder[] = [];
  let holder: Holder = top;
  let name: string | null = null;
  const put = (value: unknown): void => {
    if (Array.isArray(holder)) holder.push(value);
    else setMember(holder, name ?? '', value);
    name = null;
  };
  for (let at = 0; at < text.length;) {
    const mark = text.charAt(at);
    if (mark === '{' || mark === '[') {
      const inner: Holder = mark === '[' ? [] : {};
      put(inner);
      outer.push(holder);
      holder = inner;
      at += 1;
    } else if (mark === '}' || mark === ']') {
      holder = outer.pop() ?? top;
      at += 1;
    } else if (mark === '"') {
      const end = endOfString(text, at);
      const string = String(JSON.parse(text.slice(at, end)));
      if (Array.isArray(holder) || name !== null) put(string);
      else name = string;
      at = end;
    } else {
      PLAIN.lastIndex = at;
      const plain = PLAIN.exec(text)?.[0];
      if (plain !== undefined) put(valueOf(plain));
      at += plain?.length ?? 1;
    }
  }
  return top[0];
}

function valueOf(plain: string): unknown {
  const isNumber = /^[-\d]/.test(plain);
  return isNumber && !isHeld(plain) ? new String(plain) : JSON.parse(plain);
}

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Behind the closing quote of the string that opens here. */
function endOfString(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
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
