import { takeApart } from '#src/lib/chains/takeApart.ts';
import { visible } from '#src/lib/text.ts';
import { typedAmount } from '#src/lib/typedAmount.ts';

/** true, or why the field is refused. */
export type Ruling = true | string;

const LONGEST_NAME = 100;

export function assetRule(text: string): Ruling {
  return nameRule(text, 'Enter an asset.');
}

export function chainRule(text: string): Ruling {
  return nameRule(text, 'Enter a chain.');
}

function nameRule(text: string, empty: string): Ruling {
  const name = text.trim();
  if (name === '') return empty;
  if (visible(name) !== name) return 'There is an invisible character in it. Type it by hand.';
  if (name.length > LONGEST_NAME) return `This is longer than ${LONGEST_NAME} characters.`;
  return true;
}

export function amountRule(text: string): Ruling {
  const typed = typedAmount(text);
  return typed.ok ? true : typed.reason;
}

/** The checks of all chains, read when the first address needs them. */
export const loadChains = () => import('#src/lib/chains/chains.ts');

export async function addressRule(chain: string, text: string): Promise<Ruling> {
  if (text === '') return 'Enter an address.';
  const paste = takeApart(text);
  if (paste.kind === 'uri') return 'This is a payment link, not an address. Choose below what to take from it.';
  if (paste.kind === 'ambiguous') return paste.reason;
  try {
    const { checkAddress } = await loadChains();
    const check = checkAddress(chain.trim(), text);
    return check.verdict === 'valid' || check.verdict === 'unknown-chain' ? true : check.reason;
  } catch {
    return 'The address check could not be loaded. Read the app again.';
  }
}
