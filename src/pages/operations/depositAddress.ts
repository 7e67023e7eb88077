import type { AddressVerdict } from '#src/lib/chains/chains.ts';
import { chainLabel } from '#src/list/chainChoices.ts';
import type { Along, AskedFor } from '#src/lib/operations/addressIn.ts';

/** What the check of an address means for giving it to somebody. */
export interface Judgement {
  /** Only then is there a QR code, and something to copy. */
  plausible: boolean;
  tone: 'sub' | 'open' | 'alarm';
  words: string;
}

/** Of a chain without rules here: letters, digits and the marks that addresses use, and nothing like a link or markup. */
const SHAPE = /^[0-9a-z][0-9a-z:._-]{7,127}$/i;

export function judge(check: AddressVerdict, address: string, chain: string): Judgement {
  if (check.verdict === 'valid') {
    return {
      plausible: true,
      tone: 'sub',
      words: `Well formed for ${chainAsSent(chain)}. That does not show whose it is.`,
    };
  }
  if (check.verdict === 'unknown-chain' && SHAPE.test(address)) {
    const words =
      'Nothing here can check an address of this chain. Compare it with the service before money goes there.';
    return { plausible: true, tone: 'open', words };
  }
  const reason = check.verdict === 'unknown-chain' ? 'It has characters that no address has.' : check.reason;
  return { plausible: false, tone: 'alarm', words: reason };
}

/** "BNB Smart Chain (bsc)": the name that people know and the one that was sent, where they differ. */
export function chainAsSent(chain: string): string {
  const name = chainLabel(chain);
  return name.trim().toLowerCase() === chain.trim().toLowerCase() ? name : `${name} (${chain})`;
}

/** What is copied: never an address without its chain. */
export function copyTextOf(address: string, asked: AskedFor, along: readonly Along[]): string {
  const more = along.map(({ name, value }) => `\n${name}: ${value}`).join('');
  return `Only send ${asked.asset} on ${chainAsSent(asked.chain)} to this address:\n${address}${more}`;
}
