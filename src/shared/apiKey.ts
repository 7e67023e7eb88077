import { codePointName, revealHidden } from './text.ts';

/** Longer keys don't fit the session cookie. */
const LENGTH_MAX = 1024;
/** Anything but visible ASCII, the only characters that an HTTP header carries. */
const FOREIGN = /[^\x21-\x7e]/u;

/** Why a text can't be an API key, naming the invalid character; null if it can. */
export function apiKeyFault(key: string): string | null {
  if (key.length > LENGTH_MAX) return `This is longer than any API key: ${LENGTH_MAX} characters at most.`;
  const found = FOREIGN.exec(key);
  if (!found) return null;
  const [character] = found;
  const code = codePointName(character);
  const before = key.slice(0, found.index);
  const after = key.slice(found.index + character.length);
  const place = after === '' ? 'at its end' : before === '' ? 'at its beginning' : 'in the middle';
  if (character === ' ') return `The API key has a space ${place}.`;
  if (isInvisible(character)) return `The API key has an invisible character ${place} (${code}).`;
  return `The API key has a character ${place} that no API key has: “${character}” (${code}).`;
}

/** The key without its invisible characters. */
export function withoutInvisible(key: string): string {
  return Array.from(key)
    .filter((character) => !isInvisible(character))
    .join('');
}

function isInvisible(character: string): boolean {
  return (
    FOREIGN.test(character) && (/[^\p{L}\p{N}\p{P}\p{S}]/u.test(character) || revealHidden(character) !== character)
  );
}
