import type { Ruling } from '#src/lib/fieldRules.ts';
import { visible } from '#src/lib/text.ts';

const LONGEST = 200;

/** What a delivery's id must be to be sent; the contract does not show how one looks. */
export function deliveryRule(text: string): Ruling {
  const id = text.trim();
  if (id === '') return 'Enter a delivery ID.';
  if (visible(id) !== id) return 'There is an invisible character in it. Copy the ID again.';
  if (/\s/.test(id)) return 'There is a space in it. Copy the ID alone.';
  if (id.length > LONGEST) return `This is longer than ${LONGEST} characters.`;
  return true;
}

/** What to say of an id that looks like another thing's; nothing is refused for it. */
export function deliveryWarning(text: string): string | undefined {
  const id = text.trim();
  if (id === '' || id.startsWith('whd_')) return undefined;
  if (id.startsWith('dep_')) return 'This looks like a deposit ID, not a webhook delivery (whd_…).';
  if (id.startsWith('wd_')) return 'This looks like a withdrawal ID, not a webhook delivery (whd_…).';
  return 'Webhook delivery IDs usually start with whd_.';
}
