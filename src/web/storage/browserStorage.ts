// Browser storage that may be absent, full or throw: then nothing is stored.

type Area = 'localStorage' | 'sessionStorage';

/** Empty if nothing is stored or it can’t be read. */
export function readStored(area: Area, name: string): string {
  try {
    return window[area].getItem(name) ?? '';
  } catch {
    return '';
  }
}

/** Stores a text, or removes it if empty. Returns false on failure. */
export function store(area: Area, name: string, text: string): boolean {
  try {
    if (text === '') window[area].removeItem(name);
    else window[area].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
