import type { ComponentType } from 'react';
import { operationsQuery } from '#src/api/operations.ts';
import { OPEN } from '#src/api/useOperations.ts';
import { queryClient } from './queryClient.ts';

let banner: ComponentType | null = null;

/** The banner, where it was loaded in time for the first paint; its operations are loaded then too. */
export function preloadedBanner(): ComponentType | null {
  return banner;
}

/** Loads the banner, which would push the page down if it came later; never rejects. */
export async function preloadBanner(account: string): Promise<void> {
  try {
    const { data, unreadable } = await queryClient.fetchQuery(operationsQuery(account, OPEN));
    // With nothing to show it may as well come after the page.
    if (data.length + unreadable.length > 0) banner = (await import('#src/pages/operations/Banner.tsx')).Banner;
  } catch {
    // It says so itself when it comes.
  }
}
