import { useEffect } from 'react';
import { visible } from '#src/lib/text.ts';

interface Entry {
  title: string;
}

/** A detail inside a list has a title of its own; the list's comes back when it closes. */
const entries: Entry[] = [];

function show(): void {
  const last = entries.at(-1);
  document.title = last ? `${visible(last.title)} · Countinghouse` : 'Countinghouse';
}

/** The window's title while the part is on the page; of nested ones the innermost, which registers last. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const entry = { title };
    entries.push(entry);
    show();
    return () => {
      entries.splice(entries.indexOf(entry), 1);
      show();
    };
  }, [title]);
}
