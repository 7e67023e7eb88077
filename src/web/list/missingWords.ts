import { numberWords } from '#src/shared/text.ts';

/** "1 without a readable amount, 3 without a readable time": payments missing from the sum; empty if there are none. */
export function missingWords({ unreadable, untimed }: { unreadable: number; untimed: number }): string {
  return [
    ...(unreadable > 0 ? [`${numberWords(unreadable)} without a readable amount`] : []),
    ...(untimed > 0 ? [`${numberWords(untimed)} without a readable time`] : []),
  ].join(', ');
}
