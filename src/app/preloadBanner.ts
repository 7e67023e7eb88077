import type { ComponentType } from 'react';
import { operationsQuery } from '#src/api/operations.ts';
import { wait } from '#src/api/rateLimitPause.ts';
import { OPEN } from '#src/api/useOperations.ts';
import { queryClient } from './queryClient.ts';

/** No first paint waits longer for what the server says of open operations; milliseconds. */
const PATIENCE = 150;

let banner: ComponentType | null = null;

/** The banner, where it was loaded in time for the first paint; its operations are loaded then too. */
export function preloadedBanner(): ComponentType | null {
  return banner;
}

async function read(account: string): Promise<void> {
  const { data, unreadable } = await queryClient.fetchQuery(operationsQuery(account, OPEN));
  // With nothing to show it may as well come after the page.
  if (data.length + unreadable.length > 0) banner = (await import('#src/pages/operations/Banner.tsx')).Banner;
}

/** Loads the banner, which would push the page down if it came later; never rejects. Await it when all else is ready. */
export function preloadBanner(account: string): () => Promise<void> {
  const reading = read(account).catch(() => undefined);
  return () => Promise.race([reading, wait(PATIENCE, undefined)]);
}
