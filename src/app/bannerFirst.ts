import type { ComponentType } from 'react';
import { wait } from '#src/api/pause.ts';

/** No first paint waits longer for what this browser's storage says; milliseconds. */
const PATIENCE = 150;

let banner: ComponentType | null = null;

/** The banner, where it was read in time for the first paint; its operations are read then too. */
export function bannerReadFirst(): ComponentType | null {
  return banner;
}

async function read(): Promise<void> {
  const [{ Banner }, { operationsRead }] = await Promise.all([
    import('#src/pages/operations/Banner.tsx'),
    import('#src/operations/operationsRead.ts'),
  ]);
  await operationsRead();
  banner = Banner;
}

/** Reads the banner, which would push the page down if it came later; never rejects. Await it when all else is ready. */
export function readBannerFirst(): () => Promise<void> {
  const reading = read().catch(() => undefined);
  return () => Promise.race([reading, wait(PATIENCE, undefined)]);
}
