import type { Ruling } from '#src/lib/fieldRules.ts';
import { loadChains } from './loadChains.ts';
import { parsePaymentUri } from './parsePaymentUri.ts';

/** Whether a text is one address of a chain, by all that can be known here; `link` is what to do with a payment link. */
export async function addressRule(chain: string, text: string, link: string): Promise<Ruling> {
  if (text === '') return 'Enter an address.';
  const paste = parsePaymentUri(text);
  if (paste.kind === 'uri') return `This is a payment link, not an address. ${link}`;
  if (paste.kind === 'ambiguous') return paste.reason;
  try {
    const { checkAddress } = await loadChains();
    const check = checkAddress(chain.trim(), text);
    return check.verdict === 'valid' || check.verdict === 'unknown-chain' ? true : check.reason;
  } catch {
    return 'The address check could not be loaded. Read the app again.';
  }
}
