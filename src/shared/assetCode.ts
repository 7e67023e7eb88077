import { hasLookAlikes, listInWords, visibleCode } from './text.ts';

/** A code for comparison, ignoring case and currency signs: "usdt" for "USD₮". */
export function foldCode(code: string): string {
  const text = code.trim().toLowerCase();
  if (text === '₮') return 'usdt';
  if (text === '₿') return 'btc';
  return text.replaceAll('₮', 't').replaceAll('₿', 'b');
}

/** The account's codes that a typed one may mean: an exact match first, then those that differ only in case or sign. */
export function matchingAssetCodes(input: string, accountCodes: readonly string[]): string[] {
  const folded = foldCode(input);
  const others = accountCodes.filter((code) => code !== input && foldCode(code) === folded);
  return accountCodes.includes(input) ? [input, ...others] : others;
}

/** Warns that a typed code may be a mistake: it has look-alike letters, or resembles a held asset. */
export function codeWarning(asset: string, held: readonly string[]): string | undefined {
  if (hasLookAlikes(asset))
    return `This code has characters that only look like others: ${visibleCode(asset)}. Check which asset is meant.`;
  const others = matchingAssetCodes(asset, held).filter((code) => code !== asset);
  if (others.length === 0) return undefined;
  const names = listInWords(others.map((code) => `“${visibleCode(code)}”`));
  const another = others.length === 1 ? 'another asset' : 'other assets';
  if (held.includes(asset)) return `You also hold ${names}, ${another}. Check which one is meant.`;
  const isCase = others.every((code) => code.toLowerCase() === asset.toLowerCase());
  return `You hold ${names}. ${isCase ? 'Codes are case-sensitive.' : 'Each code is another asset.'}`;
}
