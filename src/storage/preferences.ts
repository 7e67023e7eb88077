// What this browser remembers about the person's reading: zone, theme, names of accounts. No money, no secrets.
// Storage may be absent, full or throw: then the choice holds until the page closes.
import { useSyncExternalStore } from 'react';
import { createStore } from '#src/lib/store.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  zone: 'utc' | 'local';
  theme: Theme;
  /** No amount is shown: the screen is shared. */
  hideAmounts: boolean;
  /** Keys of one letter act on the page (WCAG 2.1.4). */
  singleKeys: boolean;
  /** The chart above the list of deposits is open. */
  chartShown: boolean;
  /** The first steps led to the simulator. */
  simulatorSeen: boolean;
  /** How high the rows of lists are. */
  density: 'comfortable' | 'compact';
  /** The columns that lists show, by the list's path; the others show their usual ones. */
  columns: Readonly<Record<string, readonly string[]>>;
  /** The person's own name, as colleagues see it; empty: none. */
  ownName: string;
  /** The person's own names for accounts, by `service account`. */
  accountNames: Readonly<Record<string, string>>;
}

const STORAGE_KEY = 'countinghouse.preferences';
const DEFAULTS: Preferences = {
  zone: 'utc',
  theme: 'system',
  hideAmounts: false,
  singleKeys: true,
  chartShown: false,
  simulatorSeen: false,
  density: 'comfortable',
  columns: {},
  ownName: '',
  accountNames: {},
};
const NAME_MAX = 60;

function isNames(entry: [string, unknown]): entry is [string, string[]] {
  return Array.isArray(entry[1]) && entry[1].every((name) => typeof name === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What was stored, with every field that is not what it should be replaced by its default. */
export function parsePreferences(text: string | null): Preferences {
  let stored: unknown = null;
  try {
    stored = text === null ? null : JSON.parse(text);
  } catch {
    return DEFAULTS;
  }
  if (!isRecord(stored)) return DEFAULTS;
  const names = isRecord(stored['accountNames']) ? Object.entries(stored['accountNames']) : [];
  return {
    zone: stored['zone'] === 'local' ? 'local' : 'utc',
    theme: stored['theme'] === 'light' || stored['theme'] === 'dark' ? stored['theme'] : 'system',
    hideAmounts: stored['hideAmounts'] === true,
    singleKeys: stored['singleKeys'] !== false,
    chartShown: stored['chartShown'] === true,
    simulatorSeen: stored['simulatorSeen'] === true,
    density: stored['density'] === 'compact' ? 'compact' : 'comfortable',
    columns: Object.fromEntries(isRecord(stored['columns']) ? Object.entries(stored['columns']).filter(isNames) : []),
    ownName: typeof stored['ownName'] === 'string' ? stored['ownName'].slice(0, NAME_MAX) : '',
    accountNames: Object.fromEntries(names.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  };
}

function readStored(): string | null {
  try {
    return window.localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function store(preferences: Preferences): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  } catch {
    // Kept for this page only.
  }
}

const preferences = createStore(parsePreferences(readStored()), {
  onSubscribed: () => {
    window.addEventListener('storage', takeFromOtherTab);
    return () => window.removeEventListener('storage', takeFromOtherTab);
  },
});

export const { get: getPreferences, subscribe: subscribePreferences } = preferences;

export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change };
  store(next);
  preferences.set(next);
}

/** The person's own name for an account; an empty one is forgotten. */
export function setAccountName(service: string, account: string, name: string): void {
  const key = `${service} ${account}`;
  const { [key]: _former, ...others } = getPreferences().accountNames;
  const kept = name.trim().slice(0, NAME_MAX);
  setPreferences({ accountNames: kept === '' ? others : { ...others, [key]: kept } });
}

export function accountName(preferences: Preferences, service: string, account: string): string | undefined {
  const key = `${service} ${account}`;
  return Object.hasOwn(preferences.accountNames, key) ? preferences.accountNames[key] : undefined;
}

function takeFromOtherTab(event: StorageEvent): void {
  if (event.key === STORAGE_KEY) preferences.set(parsePreferences(event.newValue));
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribePreferences, getPreferences);
}
