const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The entries that hold every word typed, in name, chain or address; by name. */
export function foundEntries<T extends { name: string; chain: string; address: string }>(
  entries: readonly T[],
  typed: string,
): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = ({ name, chain, address }: T) => {
    const text = `${name} ${chain} ${address}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return entries.filter(holds).sort((a, b) => byName.compare(a.name, b.name));
}
