import type { ComponentType } from 'react';
import { peekEarly } from '#src/api/paging/earlyRequests.ts';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { OPEN_OPERATIONS } from '#src/lib/serverPaths.ts';
import { queryClient } from './queryClient.ts';

let banner: ComponentType | null = null;

/** The banner, where it was loaded in time for the first paint; its operations are loaded then too. */
export function preloadedBanner(): ComponentType | null {
  return banner;
}

/** Loads the banner, which would push the page down if it came later; never rejects. */
export async function preloadBanner(account: string): Promise<void> {
  try {
    const said = parseJson((await peekEarly(account, OPEN_OPERATIONS)) ?? '');
    // With nothing to show it may as well come after the page.
    if (!isObject(said) || [said['data'], said['unreadable']].every((list) => Array.isArray(list) && list.length === 0))
      return;
    const { Banner, readOpen } = await import('#src/pages/operations/Banner.tsx');
    await readOpen(queryClient, account);
    banner = Banner;
  } catch {
    // It says so itself when it comes.
  }
}
