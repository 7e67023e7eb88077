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

export function textOrJson(value: unknown): string {
  if (value === undefined) return 'undefined';
  return typeof value === 'string' ? value : stringifyExact(value);
}

export function textOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : textOrJson(value);
}

/** "A", "A and B", "A, B and C". */
export function listInWords(words: readonly string[]): string {
  const before = words.slice(0, -1).join(', ');
  const last = words.at(-1) ?? '';
  return before === '' ? last : `${before} and ${last}`;
}

/** Compares codes, independent of the device's language; null sorts as the empty code. */
export function compareWords(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

/** For comparisons that ignore case and surrounding spaces. */
export function folded(text: string): string {
  return text.trim().toLowerCase();
}

// Only accents are ignored: kana with voicing marks are different letters, and Indic vowels are marks.
const IGNORED_IN_SEARCH = /\p{Cf}|(?=\p{M})(?![\u3099\u309A])[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/** For searching names: ignores case, normalization, accents and joiners. */
export function searchForm(text: string): string {
  if (PLAIN.test(text)) return text.toUpperCase();
  // Upper case last: only it makes ı and i, ς and σ, and ß and ss equal.
  const bare = text.toLowerCase().normalize('NFKD').replace(IGNORED_IN_SEARCH, '');
  return bare.toLowerCase().toUpperCase().normalize('NFC');
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

// Controls and marks that reorder, join or hide text; line separators; lone surrogates; letters that render as nothing.
const HIDDEN = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0\u{E0000}-\u{E0FFF}\u180B-\u180F\u17B4\u17B5\u034F]`;

// Letters and marks of the scripts that use joiners in spelling: Arabic to Sinhala, Burmese, Khmer, Mongolian, Adlam.
const JOINING = String.raw`(?=[\p{L}\p{M}])[\u0600-\u0DFF\u1000-\u109F\u1780-\u18AF\u{1E900}-\u{1E95F}]`;
const VIRAMA = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`;
const EMOJI = String.raw`(?:\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})`;
/** Hidden characters that surrounding text needs to render correctly. */
const NEEDED = [
  String.raw`[\u200C\u200D](?<=${JOINING}.)(?=${JOINING})`,
  // Malayalam words can end with it.
  String.raw`\u200D(?<=${VIRAMA}.)`,
  String.raw`\u200D(?<=${EMOJI}.)(?=\p{Extended_Pictographic})`,
  // The flags of England, Scotland and Wales.
  String.raw`(?<=\u{1F3F4})\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
].join('|');

const HIDDEN_ANYWHERE = new RegExp(HIDDEN, 'u');
const HIDDEN_OR_NEEDED = new RegExp(`(?<needed>${NEEDED})|${HIDDEN}`, 'gu');
/** Skips the patterns above for nearly all text: they are slow to compile. */
const PLAIN = /^[ -~]*$/;

/** Replaces every character that would hide, reorder or break text by a visible name: NUL by "␀", others by "⟨U+202E⟩". */
export function revealHidden(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN_OR_NEEDED, (character, needed?: string) => needed ?? nameOf(character));
}

/** Whether a code, an id or an address has an invisible character. For names, which may have joiners, see revealHidden(). */
export function hasInvisible(text: string): boolean {
  return !PLAIN.test(text) && HIDDEN_ANYWHERE.test(text);
}

function nameOf(character: string): string {
  if (character === '\t' || character === '\n') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨${codePointName(character)}⟩`;
}

/** "U+202E". */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

// Letters, digits, punctuation and spaces beyond ASCII, except currency signs, scripts that can't be mistaken for Latin,
// the ellipsis of a clipped code, and characters that are already followed by their name.
const NOT_OF_KEYBOARD =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー…⟨⟩])(?![ -~])[\p{L}\p{M}\p{N}\p{P}\p{Sm}\p{Sk}\p{Zs}](?!⟨U\+)/gu;

/** As revealHidden(), for an asset code: also adds the name of each look-alike character, "USDТ⟨U+0422⟩". */
export function visibleCode(code: string): string {
  if (PLAIN.test(code)) return code;
  return revealHidden(code).replace(NOT_OF_KEYBOARD, (character) => character + nameOf(character));
}

/** Whether an asset code has a look-alike or invisible character. */
export function hasLookAlikes(code: string): boolean {
  return visibleCode(code) !== code;
}

/** Whether the text can be stored and sent: no NUL, no lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

export interface Noun {
  one: string;
  many: string;
}

/** A whole number as "1,200", whatever the device's language. */
export function numberWords(count: number): string {
  // Not by Intl: creating a formatter costs as much as rendering the first screen of a list.
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
