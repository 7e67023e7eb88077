import { type ComponentType, type ReactNode, useState } from 'react';
import { peekEarly } from '#src/web/api/earlyRequests.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { OPEN_OPERATIONS, hasNoOpenOperations } from '#src/shared/serverPaths.ts';
import { ErrorBoundary } from '#src/web/ui/ErrorBoundary.tsx';
import { queryClient } from './queryClient.ts';
import { useLoaded } from '#src/web/ui/useLoaded.ts';

/** Where it was loaded in time for the first paint; its operations are loaded then too. */
let earlyBanner: ComponentType | null = null;

/** Loads the banner, which would push the page down if it came later; never rejects. */
export async function preloadBanner(account: string): Promise<void> {
  try {
    const said = parseJson((await peekEarly(account, OPEN_OPERATIONS)) ?? '');
    // With nothing to show it may as well come after the page.
    if (!isObject(said) || hasNoOpenOperations(said)) return;
    const { Banner, readOpen } = await loadBanner();
    await readOpen(queryClient, account);
    earlyBanner = Banner;
  } catch {
    // It says so itself when it comes.
  }
}

const loadBanner = () => import('#src/web/pages/operations/Banner.tsx');

function LateBanner(): ReactNode {
  const { value, failed } = useLoaded(loadBanner);
  if (failed) throw new Error('The banner could not be loaded.');
  return value && <value.Banner />;
}

/** The banner's row. Should it break, the pages stay, and a missing banner is not taken for good news. */
export function OperationsBanner() {
  // One and the same for as long as the place is there.
  const [Banner] = useState(() => earlyBanner ?? LateBanner);
  return (
    <ErrorBoundary
      renderError={() => (
        <div className="banner" role="alert">
          <span className="min-w-0">
            <b>Couldn’t load open payments.</b> Reload and check here before you pay anything again.
          </span>
        </div>
      )}
    >
      <Banner />
    </ErrorBoundary>
  );
}
