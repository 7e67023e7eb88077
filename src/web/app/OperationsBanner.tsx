import { type ComponentType, type ReactNode, useState } from 'react';
import { peekEarly } from '#src/web/api/earlyRequests.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { OPEN_OPERATIONS, hasNoOpenOperations } from '#src/shared/serverPaths.ts';
import { ErrorBoundary } from '#src/web/ui/ErrorBoundary.tsx';
import { queryClient } from './queryClient.ts';
import { useLoaded } from '#src/web/ui/useLoaded.ts';

/** Set if the banner and its operations were loaded in time for the first paint. */
let earlyBanner: ComponentType | null = null;

/** Loads the banner before the first paint, so that it doesn’t push the page down later; never rejects. */
export async function preloadBanner(account: string): Promise<void> {
  try {
    const answer = parseJson((await peekEarly(account, OPEN_OPERATIONS)) ?? '');
    // A banner without operations is empty, so it can load after the page.
    if (!isObject(answer) || hasNoOpenOperations(answer)) return;
    const { Banner, loadOpenOperations } = await loadBanner();
    await loadOpenOperations(queryClient, account);
    earlyBanner = Banner;
  } catch {
    // LateBanner reports the error.
  }
}

const loadBanner = () => import('#src/web/pages/operations/Banner.tsx');

function LateBanner(): ReactNode {
  const { value, failed } = useLoaded(loadBanner);
  if (failed) throw new Error('The banner could not be loaded.');
  return value && <value.Banner />;
}

/** If the banner fails, the page stays, and an error shows that operations may be open. */
export function OperationsBanner() {
  // State, so that it stays the same component while this one is mounted.
  const [Banner] = useState(() => earlyBanner ?? LateBanner);
  return (
    <ErrorBoundary
      renderError={() => (
        <div className="banner" role="alert">
          <span className="min-w-0">
            <b>Couldn’t load payments to resolve.</b> Reload and check here before you pay anything again.
          </span>
        </div>
      )}
    >
      <Banner />
    </ErrorBoundary>
  );
}
