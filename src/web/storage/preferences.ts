// Preferences of this browser: zone, theme, account names. No money, no secrets. Without storage they last until the page
// closes.
import { useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { readStored, store } from './browserStorage.ts';
import { PREFERENCES_KEY } from '#src/shared/serverPaths.ts';
import { createStore } from '#src/web/ui/store.ts';

const NAME_MAX = 60;

const flag = (byDefault: boolean) => v.fallback(v.boolean(), byDefault);

/** The valid entries of a record. */
const entriesOf = <T>(item: v.GenericSchema<unknown, T>) =>
  v.fallback(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.transform((record): Readonly<Record<string, T>> => {
        const isEntry = (entry: [string, unknown]): entry is [string, T] => v.is(item, entry[1]);
        return Object.fromEntries(Object.entries(record).filter(isEntry));
      }),
    ),
    {},
  );

/** Invalid values fall back to the default. */
const preferencesSchema = v.object({
  zone: v.fallback(v.picklist(['utc', 'local']), 'utc'),
  theme: v.fallback(v.picklist(['system', 'light', 'dark']), 'system'),
  /** Amounts are hidden, to share the screen. */
  hideAmounts: flag(false),
  /** Single-letter shortcuts are on (WCAG 2.1.4). */
  singleKeys: flag(true),
  /** The chart above the list of deposits is open. */
  chartShown: flag(false),
  /** The person opened the simulator from the first steps. */
  simulatorSeen: flag(false),
  /** Row height of lists. */
  density: v.fallback(v.picklist(['comfortable', 'compact']), 'comfortable'),
  /** Visible columns by the list's path; other lists show the default ones. */
  columns: entriesOf<readonly string[]>(v.array(v.string())),
  /** The person's name, as colleagues see it; may be empty. */
  ownName: v.fallback(
    v.pipe(
      v.string(),
      v.transform((name) => name.slice(0, NAME_MAX)),
    ),
    '',
  ),
  /** The person's own names for accounts, by `service account`. */
  accountNames: entriesOf(v.string()),
  /** Visits to Home by `service account`, Unix seconds: the end of the previous visit, and the latest time of this one. */
  visits: entriesOf(v.object({ since: v.nullable(v.number()), at: v.number() })),
});
export type Preferences = v.InferOutput<typeof preferencesSchema>;
export type Theme = Preferences['theme'];

export function parsePreferences(text: string): Preferences {
  const stored = parseJson(text);
  return v.parse(preferencesSchema, isObject(stored) ? stored : {});
}

const preferences = createStore(parsePreferences(readStored('localStorage', PREFERENCES_KEY)), {
  onSubscribed: () => {
    window.addEventListener('storage', takeFromOtherTab);
    return () => window.removeEventListener('storage', takeFromOtherTab);
  },
});

export const { get: getPreferences, subscribe: subscribePreferences } = preferences;

export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change };
  store('localStorage', PREFERENCES_KEY, JSON.stringify(next));
  preferences.set(next);
}

/** An empty name is deleted. */
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
  if (event.key === PREFERENCES_KEY) preferences.set(parsePreferences(event.newValue ?? ''));
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribePreferences, getPreferences);
}
