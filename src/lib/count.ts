/** What is counted. */
export interface Noun {
  /** "deposit" */
  one: string;
  /** "deposits" */
  many: string;
}

/** "1,200", whatever the device's language: as amounts are written, beside which it may stand. */
export function numberWords(count: number): string {
  return count.toLocaleString('en');
}

/** "1 deposit", "1,200 deposits". */
export function counted(count: number, one: string, many: string): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}

/** "128 deposits"; "At least 50 deposits" while there may be more. */
export function totalWords(count: number, noun: Noun, isWhole: boolean): string {
  return `${isWhole ? '' : 'At least '}${counted(count, noun.one, noun.many)}`;
}
