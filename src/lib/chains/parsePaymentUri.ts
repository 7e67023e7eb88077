import { isAmount } from '#src/lib/amount.ts';
import { chainId } from './names.ts';

export type Paste =
  | { kind: 'plain'; address: string }
  | { kind: 'uri'; scheme: string; address: string; amount?: string; label?: string }
  | { kind: 'ambiguous'; reason: string };

const ambiguous = (reason: string): Paste => ({ kind: 'ambiguous', reason });

/** What a pasted text holds: an address alone, untouched, or a payment link (BIP 21 and its like) in its parts; refused where a part would be lost. */
export function parsePaymentUri(paste: string): Paste {
  const match = /^\s*([a-z][a-z0-9+.-]*):(?:\/\/)?([^?\s]*)(?:\?(\S*))?\s*$/i.exec(paste);
  if (!match) {
    const words = paste.trim().split(/\s+/);
    return words.length > 1 ? ambiguous('This holds more than an address. Copy the address alone.') : plain(paste);
  }
  const scheme = (match[1] ?? '').toLowerCase();
  if (chainId(scheme) === undefined)
    return ambiguous(`“${scheme}:” is not the link of a known chain. Copy the address alone.`);
  const address = match[2] ?? '';
  if (address === '') return ambiguous('This link holds no address.');
  if (/[/@-]|%/.test(address)) {
    return ambiguous('This link asks for more than a plain payment to an address. Copy the address alone.');
  }
  return withParameters(scheme, address, new URLSearchParams(match[3] ?? ''));
}

function plain(address: string): Paste {
  return { kind: 'plain', address };
}

function withParameters(scheme: string, address: string, parameters: URLSearchParams): Paste {
  const names = [...parameters.keys()];
  const demand = names.find((name) => name.startsWith('req-'));
  if (demand !== undefined) return ambiguous(`This link demands “${demand}”, which cannot be met here.`);
  // Ethereum's links give the amount in its smallest unit, and Solana's name a token: a guess would be wrong by powers of ten.
  const unit = names.find((name) => ['value', 'spl-token', 'token', 'uint256'].includes(name));
  if (unit !== undefined) return ambiguous(`This link carries “${unit}”. Copy the address alone and type the amount.`);
  const amounts = parameters.getAll('amount');
  const [amount] = amounts;
  if (amounts.length > 1) return ambiguous('This link names more than one amount.');
  if (amount !== undefined && !isAmount(amount))
    return ambiguous('The amount in this link is not a plain decimal number.');
  const label = parameters.get('label') ?? parameters.get('message');
  return {
    kind: 'uri',
    scheme,
    address,
    ...(amount === undefined ? {} : { amount }),
    ...(label === null ? {} : { label }),
  };
}
