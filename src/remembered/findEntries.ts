import type { AddressBookEntry } from './addressBookStore.ts';

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The entries that hold every word typed, in name, chain or address; by name. */
export function foundEntries(entries: readonly AddressBookEntry[], typed: string): AddressBookEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = ({ name, chain, address }: AddressBookEntry) => {
    const text = `${name} ${chain} ${address}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return entries.filter(holds).sort((a, b) => byName.compare(a.name, b.name));
}
