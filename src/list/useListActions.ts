import { useCallback } from 'react';
import { useLocation } from 'react-router';
import { positionAt } from './scrollMemory.ts';
import type { Fresh } from './useFreshRows.ts';

/** Reads the first page again; whoever is at the top of the list asked for the news, so they are shown at once. */
export function useReadAgain(fresh: Fresh): () => void {
  const { key } = useLocation();
  return () => void readAgain(fresh, positionAt(key) < 1);
}

async function readAgain(fresh: Fresh, atTop: boolean): Promise<void> {
  const news = await fresh.readAgain();
  if (news && atTop) await fresh.show();
}

/** The address of a row's detail, with the list's filters. */
export function useRowHref(pathOf: (id: string, search: string) => string): (id: string) => string {
  const { search } = useLocation();
  return useCallback((id: string) => pathOf(id, search), [pathOf, search]);
}
