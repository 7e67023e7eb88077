import { useSyncExternalStore } from 'react';
import { type Place, placeKey } from '#src/lib/chains/lookAlike.ts';
import {
  type AddressBook,
  type AddressBookEntry,
  ENTRIES_MAX,
  changeAddressBook,
  getAddressBook,
  subscribeAddressBook,
} from './addressBookStore.ts';

/** What people named for a service; live, in every tab. */
export function useAddressBook(service: string): AddressBook {
  const read = () => getAddressBook(service);
  return useSyncExternalStore(subscribeAddressBook, read, read);
}

/** Adds what is not there yet, as far as there is room; answers how many that were. */
export function addEntries(service: string, added: readonly AddressBookEntry[]): number {
  let count = 0;
  changeAddressBook(service, (entries) => {
    const byPlace = new Map(entries.map((entry) => [placeKey(entry), entry]));
    for (const entry of added) {
      if (byPlace.size < ENTRIES_MAX && !byPlace.has(placeKey(entry))) byPlace.set(placeKey(entry), entry);
    }
    count = byPlace.size - entries.length;
    return [...byPlace.values()];
  });
  return count;
}

export function renameEntry(service: string, place: Place, name: string): void {
  const key = placeKey(place);
  changeAddressBook(service, (entries) =>
    entries.map((entry) => (placeKey(entry) === key ? { ...entry, name } : entry)),
  );
}

export function removeEntry(service: string, place: Place): void {
  const key = placeKey(place);
  changeAddressBook(service, (entries) => entries.filter((entry) => placeKey(entry) !== key));
}
