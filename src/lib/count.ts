export interface Noun {
  /** "deposit" */
  one: string;
  /** "deposits" */
  many: string;
}

/** A whole number as "1,200", whatever the device's language. */
export function numberWords(count: number): string {
  // By itself: a formatter of the device costs as much as the first screen of a list.
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 deposit", "1,200 deposits". */
export function counted(count: number, one: string, many: string): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}

/** "128 deposits"; "At least 50 deposits" while there may be more. */
export function totalWords(count: number, noun: Noun, isWhole: boolean): string {
  return `${isWhole ? '' : 'At least '}${counted(count, noun.one, noun.many)}`;
}
