import type { Place } from '#src/lib/chains/lookAlike.ts';
import type { Ruling } from '#src/lib/fieldRules.ts';
import type { KnownAddress, KnownAddresses } from '#src/lib/operations/knownAddresses.ts';

/** The known addresses that this one is easily mistaken for. None for one that somebody added to the address book, where it was compared with them. */
export function mistakenFor(known: KnownAddresses, place: Place): KnownAddress[] {
  const same = [known.find(place), ...known.elsewhere(place)];
  return same.some((each) => each !== null && each.name !== null) ? [] : known.lookAlikes(place);
}

/** Refuses an address that begins and ends like a known one. */
export function lookAlikeRule(known: KnownAddresses, place: Place): Ruling {
  if (mistakenFor(known, place).length === 0) return true;
  return 'Blocked: it begins and ends like an address that is known here, and it is another one. Compare them below.';
}
