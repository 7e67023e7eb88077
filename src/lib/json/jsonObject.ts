import { visible } from '#src/lib/text.ts';

// A JSON object read as text: where its members stand, and in words what is wrong and where. No value is ever turned
// into a number, so that 60 digits or 1e400 stay what was typed.

export interface Member {
  name: string;
  /** From the quote before the name to the end of the value. */
  start: number;
  end: number;
}

export type ObjectText =
  | {
      ok: true;
      members: Member[];
      /** What stands between the braces, as it was typed, without the spaces around it. */
      inner: string;
    }
  | { ok: false; reason: string };

/** Reads a text that has to be one JSON object; a name given twice is refused, for a reader could take either. */
export function readObjectText(text: string): ObjectText {
  try {
    return { ok: true, ...new Reader(text).whole() };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { ok: false, reason: `${placeOf(text, fault.at)}: ${fault.message}` };
  }
}

class Fault extends Error {
  readonly at: number;

  constructor(at: number, words: string) {
    super(words);
    this.at = at;
  }
}

const DEEPEST = 100;
const LONGEST_QUOTE = 40;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$.+-]+/uy;
const STRING = /"(?:[^"\\\p{Cc}\p{Cs}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): { members: Member[]; inner: string } {
    this.#skip();
    if (this.#text[this.#at] !== '{') {
      throw new Fault(
        this.#at,
        this.#at >= this.#text.length ? 'nothing is there.' : 'an object in braces { } has to be here.',
      );
    }
    const open = this.#at;
    const members = this.#object(1);
    const inner = this.#text.slice(open + 1, this.#at - 1).replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '');
    this.#skip();
    if (this.#at < this.#text.length) throw new Fault(this.#at, `${this.#here()} stands after the end of the object.`);
    return { members, inner };
  }

  #object(depth: number): Member[] {
    const open = this.#at;
    const members: Member[] = [];
    const names = new Set<string>();
    this.#at += 1;
    this.#skip();
    if (this.#take('}')) return members;
    for (;;) {
      const start = this.#at;
      const name = this.#name();
      if (names.has(name)) throw new Fault(start, `${quoted(name)} stands here a second time.`);
      names.add(name);
      this.#skip();
      if (!this.#take(':'))
        throw new Fault(this.#at, `a colon is missing after the name; ${this.#here()} stands here.`);
      this.#value(depth);
      members.push({ name, start, end: this.#at });
      if (this.#ends('}', open)) return members;
    }
  }

  #array(depth: number): void {
    const open = this.#at;
    this.#at += 1;
    this.#skip();
    if (this.#take(']')) return;
    do this.#value(depth);
    while (!this.#ends(']', open));
  }

  /** After a member or an item: whether this was the last one. */
  #ends(close: '}' | ']', open: number): boolean {
    this.#skip();
    if (this.#take(close)) return true;
    if (this.#take(',')) {
      const comma = this.#at - 1;
      this.#skip();
      if (this.#text[this.#at] === close) throw new Fault(comma, 'this comma is one too many, nothing follows it.');
      return false;
    }
    if (this.#at >= this.#text.length) {
      throw new Fault(
        this.#at,
        `“${close}” is missing for the “${this.#text[open] ?? ''}” in ${placeOf(this.#text, open, 'of')}.`,
      );
    }
    throw new Fault(this.#at, `a comma or “${close}” is missing before ${this.#here()}.`);
  }

  #value(depth: number): void {
    this.#skip();
    const first = this.#text[this.#at];
    if (first === '"') this.#string();
    else if (first === '{' || first === '[') {
      if (depth >= DEEPEST) throw new Fault(this.#at, `this is nested deeper than ${DEEPEST} levels.`);
      if (first === '{') this.#object(depth + 1);
      else this.#array(depth + 1);
    } else this.#plain();
  }

  /** A number, true, false or null. */
  #plain(): void {
    const start = this.#at;
    const word = this.#match(WORD);
    if (word === '') throw new Fault(start, this.#noValue());
    this.#at = start + word.length;
    if (word === 'true' || word === 'false' || word === 'null') return;
    NUMBER.lastIndex = 0;
    if (NUMBER.exec(word)?.[0] === word) return;
    throw new Fault(start, wrongWord(word));
  }

  #noValue(): string {
    const character = this.#text[this.#at];
    if (character === undefined) return 'the text ends where a value has to be.';
    if (/['‘’“”«»„`]/.test(character)) return 'text stands in straight double quotes (").';
    if (character === '/' || character === '#') return 'JSON has no comments.';
    return `a value has to be here; ${this.#here()} stands here.`;
  }

  #name(): string {
    this.#skip();
    if (this.#text[this.#at] === '"') return this.#string();
    if (this.#at >= this.#text.length) throw new Fault(this.#at, 'the text ends where a name has to be.');
    const word = this.#match(WORD);
    const what = word === '' ? this.#here() : quoted(word);
    throw new Fault(this.#at, `a name in straight double quotes (") has to be here; ${what} stands here.`);
  }

  #string(): string {
    const start = this.#at;
    const whole = this.#match(STRING);
    this.#at = start + whole.length;
    if (this.#take('"')) return String(JSON.parse(`${whole}"`));
    const character = this.#text[this.#at];
    if (character === undefined) throw new Fault(start, 'the closing quote of this text is missing.');
    if (character === '\\')
      throw new Fault(this.#at, 'after “\\” only " \\ / b f n r t or u with four digits may come.');
    if (/\p{Cs}/u.test(character)) throw new Fault(this.#at, 'this is half of a character and cannot be sent.');
    if (character === '\n' || character === '\r') {
      throw new Fault(
        start,
        'the closing quote of this text is missing in its line; write a line break in a text as \\n.',
      );
    }
    throw new Fault(this.#at, `${this.#here()} may not stand in a text as it is.`);
  }

  #match(sticky: RegExp): string {
    sticky.lastIndex = this.#at;
    return sticky.exec(this.#text)?.[0] ?? '';
  }

  #skip(): void {
    while (/[ \t\n\r]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /** The character at this place, so that a person can find it. */
  #here(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return 'the end of the text';
    const character = String.fromCodePoint(code);
    if (!/[\p{Z}\p{C}]/u.test(character)) return `“${character}”`;
    return `an invisible character (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
  }
}

function wrongWord(word: string): string {
  const said = quoted(word);
  if (/^(?:true|false|null)$/i.test(word)) return `write ${word.toLowerCase()} in small letters.`;
  if (/^-?0\d/.test(word)) return `${said} is no JSON number: leave out the zeros in front.`;
  if (word.startsWith('+')) return `${said} is no JSON number: leave out the plus sign.`;
  if (/^-?\./.test(word)) return `${said} is no JSON number: put a 0 before the point.`;
  if (/^-?\d+\.$/.test(word)) return `${said} is no JSON number: digits are missing after the point.`;
  if (/^-?\d/.test(word)) return `${said} is no JSON number. Text stands in double quotes.`;
  return `${said} is no JSON value. Text stands in double quotes.`;
}

function quoted(text: string): string {
  return `“${visible(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text)}”`;
}

function placeOf(text: string, at: number, of?: 'of'): string {
  const before = text.slice(0, at).split('\n');
  const column = Array.from(before.at(-1) ?? '').length + 1;
  return `${of ? 'line' : 'Line'} ${before.length}, character ${column}`;
}
