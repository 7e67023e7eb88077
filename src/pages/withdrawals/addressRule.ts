import { loadChains } from '#src/lib/chains/loadChains.ts';
import { takeApart } from '#src/lib/chains/takeApart.ts';
import type { Ruling } from '#src/lib/fieldRules.ts';

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
