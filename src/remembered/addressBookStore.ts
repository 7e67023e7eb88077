// Recipients that people named, in this browser, per service. A convenience: who can use the browser can change it.
// Storage may be absent, full or throw (faults.md 36): then the book holds until the page closes, and says so.
import { placeKey } from '#src/lib/chains/lookAlike.ts';

export interface AddressBookEntry {
  name: string;
  chain: string;
  address: string;
  /** Unix seconds, device clock. */
  created: number;
}

export interface AddressBook {
  /** In the order in which they were added; each place once. */
  entries: readonly AddressBookEntry[];
  /** false: this browser refused to store it, so it is gone when the page closes. */
  kept: boolean;
  /** What was stored before could not be read; it was set aside, not overwritten. */
  damaged: boolean;
}

export const ENTRIES_MAX = 5_000;
const PREFIX = 'countinghouse.address-book ';
const SET_ASIDE = 'countinghouse.address-book-damaged ';

const books = new Map<string, AddressBook>();
const listeners = new Set<() => void>();

/** The book of a service; the same object until it changes. */
export function getAddressBook(service: string): AddressBook {
  const known = books.get(service);
  if (known) return known;
  const text = readStored(service);
  const entries = parseAddressBook(text);
  const book = { entries: entries ?? [], kept: true, damaged: entries === null };
  if (entries === null && text !== null) store(SET_ASIDE + service, text);
  books.set(service, book);
  return book;
}

/** Changes the entries as they are stored now, which another tab may have changed a moment ago. */
export function changeAddressBook(
  service: string,
  change: (entries: readonly AddressBookEntry[]) => readonly AddressBookEntry[],
): AddressBook {
  const before = getAddressBook(service);
  const stored = before.kept ? parseAddressBook(readStored(service)) : null;
  const entries = change(stored ?? before.entries);
  const kept = store(PREFIX + service, JSON.stringify({ version: 1, entries }));
  const book = { entries, kept, damaged: before.damaged };
  books.set(service, book);
  tell();
  return book;
}

/** What was stored: [] for nothing, null where it is no address book at all; entries that are none are left out. */
export function parseAddressBook(text: string | null): AddressBookEntry[] | null {
  if (text === null) return [];
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return null;
  }
  const rows = isRecord(stored) ? stored['entries'] : null;
  if (!Array.isArray(rows)) return null;
  const byPlace = new Map<string, AddressBookEntry>();
  for (const row of rows) {
    const entry = entryIn(row);
    if (entry !== null && !byPlace.has(placeKey(entry))) byPlace.set(placeKey(entry), entry);
  }
  return [...byPlace.values()].slice(0, ENTRIES_MAX);
}

function entryIn(row: unknown): AddressBookEntry | null {
  if (!isRecord(row)) return null;
  const { name, chain, address, created } = row;
  if (typeof name !== 'string' || typeof chain !== 'string' || typeof address !== 'string') return null;
  return { name, chain, address, created: typeof created === 'number' && Number.isFinite(created) ? created : 0 };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readStored(service: string): string | null {
  try {
    return window.localStorage.getItem(PREFIX + service);
  } catch {
    return null;
  }
}

function store(key: string, text: string): boolean {
  try {
    window.localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Another tab stored something: read it again when somebody looks. key null: everything was removed. */
function takeFromOtherTab({ key }: StorageEvent): void {
  if (key === null) books.clear();
  else if (key.startsWith(PREFIX)) books.delete(key.slice(PREFIX.length));
  else return;
  tell();
}

export function subscribeAddressBook(listener: () => void): () => void {
  if (listeners.size === 0) {
    // What other tabs changed while nobody listened here.
    for (const [service, { kept }] of books) if (kept) books.delete(service);
    window.addEventListener('storage', takeFromOtherTab);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', takeFromOtherTab);
  };
}
