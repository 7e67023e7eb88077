import { stringifyExact } from './json/exactJson.ts';

const HEAD = 7;
const TAIL = 4;

/** An id for a narrow column: "dep_9fK…x7Qd"; short ones stay whole. */
export function shorten(id: string): string {
  const clipped = id.length > 400 ? id.slice(0, 200) + id.slice(-200) : id;
  const letters = Array.from(clipped);
  if (letters.length <= HEAD + TAIL + 1) return id;
  return `${letters.slice(0, HEAD).join('')}…${letters.slice(-TAIL).join('')}`;
}

export function asText(value: unknown): string {
  if (value === undefined) return 'undefined';
  return typeof value === 'string' ? value : stringifyExact(value);
}

export function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : asText(value);
}

/** The order of codes, the same in every language of the device; null as the empty one. */
export function compareWords(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

/** For comparing where capitals and spaces around it say nothing. */
export function folded(text: string): string {
  return text.trim().toLowerCase();
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

// Controls and marks that reorder, join or hide text; line separators; lone surrogates; letters that are drawn as nothing.
// A joiner between two emoji makes them one, and is the only one that stays.
const HIDDEN =
  /(?<emojiJoiner>(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic}))|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0\u{E0000}-\u{E0FFF}]|[\u180B-\u180F]|[\u17B4\u17B5]|\u034F/gu;

/** Text with every character that would hide, reorder or break it replaced by a visible name: NUL as "␀", others as "⟨U+202E⟩". */
export function visible(text: string): string {
  // Nearly all of it; the pattern below is slow to make.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(HIDDEN, (character, emojiJoiner?: string) => emojiJoiner ?? nameOf(character));
}

function nameOf(character: string): string {
  if (character === '\t' || character === '\n') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

// Letters, digits, punctuation and spaces beyond ASCII, but for signs of currency, scripts that nobody takes for Latin, the
// ellipsis of a clipped code, and what has its name behind it already.
const NOT_OF_KEYBOARD =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー…⟨⟩])(?![ -~])[\p{L}\p{M}\p{N}\p{P}\p{Sm}\p{Sk}\p{Zs}](?!⟨U\+)/gu;

/** As visible(), for an asset code: a character that only looks like one of the keyboard has its name behind it, "USDТ⟨U+0422⟩". */
export function visibleCode(code: string): string {
  if (/^[ -~]*$/.test(code)) return code;
  return visible(code).replace(NOT_OF_KEYBOARD, (character) => character + nameOf(character));
}

/** Whether an asset code has a character that only looks like one of the keyboard, or one that nobody sees. */
export function hasLookAlikes(code: string): boolean {
  return visibleCode(code) !== code;
}

/** Whether a database, a URL and a parser all take the text: no NUL, and no half of a character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** " by Ana"; nothing where nobody gave a name. */
export function byWhom(who: string | null): string {
  return who === null || who === '' ? '' : ` by ${visible(who)}`;
}

export interface Noun {
  one: string;
  many: string;
}

/** A whole number as "1,200", whatever the device's language. */
export function numberWords(count: number): string {
  // By itself: a formatter of the device costs as much as the first screen of a list.
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

export function counted(count: number, one: string, many: string): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}

export const areOf = (count: number): string => (count === 1 ? 'is' : 'are');

/** "128 deposits"; "At least 50 deposits" while there may be more. */
export function totalWords(count: number, noun: Noun, isWhole: boolean): string {
  return `${isWhole ? '' : 'At least '}${counted(count, noun.one, noun.many)}`;
}
