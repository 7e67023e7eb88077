import { type Place, lookKey, ownerKey, placeKey } from '#src/lib/chains/lookAlike.ts';
import type { Use } from './uses.ts';

/** An address that was paid, or may have been, or that somebody named. */
export interface KnownAddress extends Place {
  /** From the address book; null: not in it. */
  name: string | null;
  /** The latest withdrawal to it; null: none is known. */
  last: Use | null;
}

export interface KnownAddresses {
  all: readonly KnownAddress[];
  /** The same recipient, however it is written. */
  find: (place: Place) => KnownAddress | null;
  /** The same address on other chains, where it may be somebody else's or nobody's. */
  elsewhere: (place: Place) => KnownAddress[];
  /** Other addresses that it is easily mistaken for. */
  lookAlikes: (place: Place) => KnownAddress[];
}

/** Everything known of addresses, to be asked quickly. */
export function knownAddresses(named: readonly (Place & { name: string })[], uses: readonly Use[]): KnownAddresses {
  const byPlace = new Map<string, KnownAddress>();
  for (const { name, chain, address } of named) {
    byPlace.set(placeKey({ chain, address }), { chain, address, name, last: null });
  }
  for (const use of uses) {
    const { chain, address } = use;
    const key = placeKey(use);
    const known = byPlace.get(key) ?? { chain, address, name: null, last: null };
    byPlace.set(key, { ...known, last: laterOf(known.last, use) });
  }
  const byOwner = grouped(byPlace.values(), ownerKey);
  const byLook = grouped(byPlace.values(), lookKey);
  return {
    all: [...byPlace.values()],
    find: (place) => byPlace.get(placeKey(place)) ?? null,
    elsewhere: (place) => (byOwner.get(ownerKey(place)) ?? []).filter((known) => placeKey(known) !== placeKey(place)),
    lookAlikes: (place) => {
      const key = lookKey(place);
      const alike = key === null ? [] : (byLook.get(key) ?? []);
      return alike.filter((known) => ownerKey(known) !== ownerKey(place));
    },
  };
}

function laterOf(one: Use | null, other: Use): Use {
  if (one === null) return other;
  return (other.at ?? 0) > (one.at ?? 0) ? other : one;
}

function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
