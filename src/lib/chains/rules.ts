/** `unchecked`: nothing in it would show a mistyped character. */
export type AddressCheck = { ok: true; unchecked?: true } | { ok: false; reason: string };

/** What one chain knows of its own texts. */
export interface ChainRules {
  checkAddress: (text: string) => AddressCheck;
  looksLikeTxHash: (text: string) => boolean;
  txUrl: (hash: string) => string;
  addressUrl: (address: string) => string;
}

export function refuse(reason: string): AddressCheck {
  return { ok: false, reason };
}

const HEX_HASH = /^[0-9a-f]{64}$/i;

export function isHexHash(text: string): boolean {
  return HEX_HASH.test(text);
}

/** What no address of any chain may hold: spaces, invisible marks, letters that only look right. */
export function checkCharacters(text: string): AddressCheck {
  if (text === '') return refuse('Enter an address.');
  if (text.length > 500) return refuse('This is longer than any address.');
  const hidden = /[\p{Cf}\p{Cs}\p{Co}\u115F\u1160\u3164\uFFA0]|\u034F/u.exec(text) ?? /(?!\s)\p{Cc}/u.exec(text);
  if (hidden) return refuse(`There is an invisible character in it (${codeOf(hidden[0])}). Copy the address again.`);
  if (/\s/.test(text)) return refuse('There is a space or a line break in it.');
  const foreign = /[^!-~]/u.exec(text);
  if (!foreign) return { ok: true };
  return refuse(`“${foreign[0]}” (${codeOf(foreign[0])}) only looks like a letter or digit of an address.`);
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
