// Filters that a person uses daily, kept by name in this browser, per service and account. Each is a link: a path and its search.
import { useSyncExternalStore } from 'react';

export interface SavedView {
  name: string;
  /** Path of the list, such as "/deposits". */
  path: string;
  /** Its search without "?". */
  search: string;
}

const STORAGE_KEY = 'countinghouse.views';
const NAME_MAX = 60;
const MOST = 100;

type Stored = Readonly<Record<string, readonly SavedView[]>>;

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, path, search } = value as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === 'string' && typeof path === 'string' && typeof search === 'string' && /^\/[a-z-]+$/.test(path);
}

/** What was stored; anything that is no view is left out. */
export function parseViews(text: string | null): Stored {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {};
    const entries = Object.entries(stored).map(([owner, views]) => [
      owner,
      Array.isArray(views) ? views.filter(isView) : [],
    ]);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

let current: Stored | null = null;
const listeners = new Set<() => void>();
const NONE: readonly SavedView[] = [];

function read(): Stored {
  if (current === null) {
    try {
      current = parseViews(window.localStorage.getItem(STORAGE_KEY));
    } catch {
      current = {};
    }
  }
  return current;
}

function write(next: Stored): void {
  current = next;
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // Kept for this page only.
  }
  for (const listener of listeners) listener();
}

function takeFromOtherTab(event: StorageEvent): void {
  if (event.key !== STORAGE_KEY) return;
  current = parseViews(event.newValue);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', takeFromOtherTab);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', takeFromOtherTab);
  };
}

/** The views of an owner (service and account), in the order of their names. */
export function useViews(owner: string): readonly SavedView[] {
  return useSyncExternalStore(subscribe, () => {
    const stored = read();
    return Object.hasOwn(stored, owner) ? (stored[owner] ?? NONE) : NONE;
  });
}

/** Keeps a view; one of the same path and name is replaced, an empty name keeps nothing. */
export function saveView(owner: string, view: SavedView): void {
  const name = view.name.trim().slice(0, NAME_MAX);
  if (name === '') return;
  const others = without(owner, { ...view, name });
  const views = [...others, { ...view, name }].sort((a, b) => a.name.localeCompare(b.name)).slice(0, MOST);
  write({ ...read(), [owner]: views });
}

export function removeView(owner: string, view: SavedView): void {
  write({ ...read(), [owner]: without(owner, view) });
}

function without(owner: string, { path, name }: SavedView): SavedView[] {
  const stored = read();
  const views = Object.hasOwn(stored, owner) ? (stored[owner] ?? NONE) : NONE;
  return views.filter((view) => view.path !== path || view.name !== name);
}
