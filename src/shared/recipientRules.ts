import { addressRule } from './chains/addressRule.ts';
import { assetRule, chainRule, recipientNameRule, type Ruling } from './fieldRules.ts';
import { searchForm } from './text.ts';

// Rules for a recipient, shared by form, import and server.

export function recipientAddressRule(chain: string, address: string): Promise<Ruling> {
  return addressRule(chain, address, 'Copy the address alone.');
}

export function defaultAssetRule(asset: string): Ruling {
  return asset.trim() === '' || assetRule(asset);
}

type Fields = Record<'name' | 'chain' | 'address', string> & { asset?: string };

/** Why a recipient can't be saved; null if it can. */
export async function recipientFault({ name, chain, address, asset = '' }: Fields): Promise<string | null> {
  const rulings = [
    recipientNameRule(name),
    chainRule(chain),
    await recipientAddressRule(chain, address),
    defaultAssetRule(asset),
  ];
  return rulings.find((ruling) => ruling !== true) ?? null;
}

/** The entry with this ID and the others of the same name, which are the same recipient's; null if there is no such entry. */
export function sameRecipient<T extends { id: string; name: string }>(entries: readonly T[], id: string): T[] | null {
  const named = entries.find((entry) => entry.id === id);
  if (!named) return null;
  return [named, ...entries.filter((entry) => entry !== named && searchForm(entry.name) === searchForm(named.name))];
}
