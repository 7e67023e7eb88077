import type { Ruling } from '#src/shared/fieldRules.ts';
import type { DepositAddressFields } from '#src/shared/operations/kind.ts';
import { loadChains } from './loadChains.ts';
import type { MemoField } from './memoFields.ts';
import { isOnChain, parsePaymentUri, type PaymentLink } from './parsePaymentUri.ts';
import type { AddressVerdict } from './chains.ts';
import { chainLabel } from './names.ts';
import { folded, revealHidden } from '#src/shared/text.ts';

/** Whether a text is an address of a chain, as far as it can be checked here; `link` says what to do with a payment link. */
export async function addressRule(chain: string, text: string, link: string): Promise<Ruling> {
  if (text === '') return 'Enter an address.';
  const paste = parsePaymentUri(text);
  if (paste.kind === 'uri') return linkReason(paste, chain, link);
  if (paste.kind !== 'plain') return paste.reason;
  try {
    const { checkAddress, faultByForm } = await loadChains();
    const fault = chain.trim() === '' ? faultByForm(text) : null;
    if (fault !== null) return fault;
    const check = checkAddress(chain, text);
    return check.verdict === 'valid' || check.verdict === 'unknown-chain' ? true : check.reason;
  } catch {
    return 'The address check could not be loaded. Read the app again.';
  }
}

/** Names the other chain: its address alone would pass for one of this chain if both have the same format. */
function linkReason(link: PaymentLink, chain: string, advice: string): string {
  if (chain.trim() === '' || isOnChain(link, chain)) return `This is a payment link, not an address. ${advice}`;
  return `This link is for ${chainLabel(link.chain)}, and the chain here is ${revealHidden(chainLabel(chain.trim()))}.`;
}

export interface Judgement {
  /** If false, no QR code or copy button is shown. */
  plausible: boolean;
  tone: 'sub' | 'open' | 'alarm';
  words: string;
}

/** For a chain without rules: letters, digits and the punctuation of addresses, but no links or markup. */
const SHAPE = /^[0-9a-z][0-9a-z:._-]{7,127}$/i;

export function judgeAddress(check: AddressVerdict, address: string, chain: string): Judgement {
  if (check.verdict === 'valid') return { plausible: true, tone: 'sub', words: `Valid ${chainAsSent(chain)} address.` };
  if (check.verdict === 'unknown-chain' && SHAPE.test(address)) {
    const words =
      'We can’t check addresses on this chain. Compare it with the provider’s response before you share it.';
    return { plausible: true, tone: 'open', words };
  }
  const reason = check.verdict === 'unknown-chain' ? 'It has characters that no address has.' : check.reason;
  return { plausible: false, tone: 'alarm', words: reason };
}

/** "BNB Smart Chain (bsc)": the common name, and the name that was sent if it differs. */
export function chainAsSent(chain: string): string {
  const name = chainLabel(chain);
  return folded(name) === folded(chain) ? name : `${name} (${chain})`;
}

/** The copied text always includes the chain. */
export function copyTextOf(address: string, asked: DepositAddressFields, along: readonly MemoField[]): string {
  const more = along.map(({ name, value }) => `\n${name}: ${value}`).join('');
  return `Only send ${asked.asset} on ${chainAsSent(asked.chain)} to this address:\n${address}${more}`;
}
