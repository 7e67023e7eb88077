// What a browser keeps for a page, by name. Storage may be absent, full or throw: then nothing is kept.

type Area = 'localStorage' | 'sessionStorage';

/** Empty where nothing is kept, or nothing can be read. */
export function readStored(area: Area, name: string): string {
  try {
    return window[area].getItem(name) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a text; an empty one is forgotten. False: nothing can be kept. */
export function store(area: Area, name: string, text: string): boolean {
  try {
    if (text === '') window[area].removeItem(name);
    else window[area].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
