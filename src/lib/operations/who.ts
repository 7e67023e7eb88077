import { visible } from '#src/lib/text.ts';

/** " by Ana"; nothing where nobody gave a name. */
export function byWhom(who: string | null): string {
  return who === null || who === '' ? '' : ` by ${visible(who)}`;
}
