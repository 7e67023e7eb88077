import { foldCode } from '#src/shared/assetCode.ts';

/** Words that match the typed text, best first: equal, equal but for case, starting with it, containing it. */
export function matchWords(known: readonly string[], typed: string): string[] {
  const needle = foldCode(typed);
  const rank = (word: string): number => {
    const lower = foldCode(word);
    if (word === typed) return 0;
    if (lower === needle) return 1;
    if (lower.startsWith(needle)) return 2;
    return lower.includes(needle) ? 3 : 4;
  };
  return known.filter((word) => rank(word) < 4).toSorted((one, other) => rank(one) - rank(other));
}

/** "Did you mean": the closest word, if it differs by a few letters at most; null if none does. */
export function nearestWord(known: readonly string[], word: string): string | null {
  const others = known.filter((each) => each !== word).map((each) => ({ each, apart: distance(each, word) }));
  const [best] = others.toSorted((one, other) => one.apart - other.apart);
  return best && best.apart <= Math.max(1, Math.floor(word.length / 2)) ? best.each : null;
}

const LONGEST = 40;

function distance(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a.length > LONGEST || b.length > LONGEST) return a === b ? 0 : LONGEST;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const same = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(same, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
