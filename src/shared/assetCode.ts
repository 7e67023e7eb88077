/** A code for comparison, ignoring case and currency signs: "usdt" for "USD₮". */
export function foldCode(code: string): string {
  const text = code.trim().toLowerCase();
  if (text === '₮') return 'usdt';
  if (text === '₿') return 'btc';
  return text.replaceAll('₮', 't').replaceAll('₿', 'b');
}

/** The account's codes that a typed one may mean: an exact match first, then those that differ only in case or sign. */
export function codesMeant(typed: string, held: readonly string[]): string[] {
  const folded = foldCode(typed);
  const others = held.filter((code) => code !== typed && foldCode(code) === folded);
  return held.includes(typed) ? [typed, ...others] : others;
}
