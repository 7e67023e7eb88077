import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AddressBookEntry } from './addressBookStore.ts';

const ENTRY: AddressBookEntry = {
  name: 'Acme',
  chain: 'bitcoin',
  address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  created: 7,
};
const OTHER: AddressBookEntry = { ...ENTRY, name: 'Other', address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' };
const KEY = 'countinghouse.address-book sandbox';

/** A browser's storage in short; `full` refuses what is stored. */
function browser() {
  const stored = new Map<string, string>();
  const listeners = new Set<(event: Pick<StorageEvent, 'key'>) => void>();
  const fake = {
    stored,
    full: false,
    /** Another tab stored something. */
    elsewhere(text: string) {
      stored.set(KEY, text);
      for (const listener of listeners) listener({ key: KEY });
    },
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => {
        if (fake.full) throw new DOMException('No room.', 'QuotaExceededError');
        stored.set(key, text);
      },
    },
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  };
  vi.stubGlobal('window', fake);
  return fake;
}

/** The modules as a new page has them. */
async function open() {
  vi.resetModules();
  return { ...(await import('./addressBook.ts')), ...(await import('./addressBookStore.ts')) };
}

let window: ReturnType<typeof browser>;
beforeEach(() => {
  window = browser();
});
afterEach(() => vi.unstubAllGlobals());

test('what was added is there for the next page, by service', async () => {
  const first = await open();
  expect(first.addEntries('sandbox', [ENTRY, OTHER])).toBe(2);
  const next = await open();
  expect(next.getAddressBook('sandbox').entries).toEqual([ENTRY, OTHER]);
  expect(next.getAddressBook('https://pay.example').entries).toEqual([]);
});

test('a place is there once; its name can be changed, and it can go and come back', async () => {
  const { addEntries, renameEntry, removeEntry, getAddressBook } = await open();
  addEntries('sandbox', [ENTRY]);
  expect(addEntries('sandbox', [{ ...ENTRY, name: 'Again', chain: 'BTC' }])).toBe(0);
  renameEntry('sandbox', ENTRY, 'Renamed');
  expect(getAddressBook('sandbox').entries).toEqual([{ ...ENTRY, name: 'Renamed' }]);
  removeEntry('sandbox', { ...ENTRY, chain: 'btc' });
  expect(getAddressBook('sandbox').entries).toEqual([]);
  expect(addEntries('sandbox', [ENTRY])).toBe(1);
});

test('it takes no more than there is room for', async () => {
  const { addEntries, ENTRIES_MAX } = await open();
  const many = Array.from({ length: ENTRIES_MAX + 5 }, (_, index) => ({ ...ENTRY, address: `address-${index}` }));
  expect(addEntries('sandbox', many)).toBe(ENTRIES_MAX);
  expect(addEntries('sandbox', [{ ...ENTRY, address: 'one more' }])).toBe(0);
});

describe('other tabs', () => {
  test('are seen, and told apart from the same object', async () => {
    const { subscribeAddressBook, getAddressBook } = await open();
    const heard = vi.fn<() => void>();
    const stop = subscribeAddressBook(heard);
    const before = getAddressBook('sandbox');
    expect(getAddressBook('sandbox')).toBe(before);
    window.elsewhere(JSON.stringify({ version: 1, entries: [OTHER] }));
    expect(heard).toHaveBeenCalledTimes(1);
    expect(getAddressBook('sandbox').entries).toEqual([OTHER]);
    stop();
  });

  test('and what they added a moment ago is not overwritten', async () => {
    const { addEntries, getAddressBook } = await open();
    getAddressBook('sandbox');
    window.stored.set(KEY, JSON.stringify({ version: 1, entries: [OTHER] }));
    expect(addEntries('sandbox', [ENTRY])).toBe(1);
    expect(getAddressBook('sandbox').entries).toEqual([OTHER, ENTRY]);
  });
});

describe('storage that fails', () => {
  test('full: it holds until the page closes, and says so', async () => {
    const { addEntries, getAddressBook } = await open();
    window.full = true;
    expect(addEntries('sandbox', [ENTRY])).toBe(1);
    expect(addEntries('sandbox', [OTHER])).toBe(1);
    expect(getAddressBook('sandbox')).toMatchObject({ entries: [ENTRY, OTHER], kept: false });
    expect(window.stored.size).toBe(0);
  });

  test('getters that throw: it opens empty', async () => {
    vi.stubGlobal('window', {
      get localStorage() {
        throw new DOMException('Blocked.', 'SecurityError');
      },
    });
    const { addEntries, getAddressBook } = await open();
    expect(getAddressBook('sandbox')).toEqual({ entries: [], kept: true, damaged: false });
    addEntries('sandbox', [ENTRY]);
    expect(getAddressBook('sandbox')).toMatchObject({ entries: [ENTRY], kept: false });
  });

  test.each([['{'], ['null'], ['{"entries":7}'], ['[]']])('%s is set aside, not overwritten', async (text) => {
    window.stored.set(KEY, text);
    const { addEntries, getAddressBook } = await open();
    expect(getAddressBook('sandbox')).toEqual({ entries: [], kept: true, damaged: true });
    addEntries('sandbox', [ENTRY]);
    expect([...window.stored.values()]).toContain(text);
  });
});

test('rows that are none are left out, the others stay', async () => {
  const { parseAddressBook } = await open();
  const rows = [ENTRY, null, 7, { name: 'x' }, { ...OTHER, created: 'then' }, { ...ENTRY, name: 'twice' }];
  expect(parseAddressBook(JSON.stringify({ entries: rows }))).toEqual([ENTRY, { ...OTHER, created: 0 }]);
});
