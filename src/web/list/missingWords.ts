import { numberWords } from '#src/shared/text.ts';

/** "1 of them without a readable amount, 3 more without a readable time": what a sum misses; empty if nothing. */
export function missingWords({ unreadable, untimed }: { unreadable: number; untimed: number }): string {
  return [
    ...(unreadable > 0 ? [`${numberWords(unreadable)} of them without a readable amount`] : []),
    ...(untimed > 0 ? [`${numberWords(untimed)} more without a readable time`] : []),
  ].join(', ');
}
