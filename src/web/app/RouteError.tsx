import type { ComponentType, ReactNode } from 'react';
import { useLocation } from 'react-router';
import * as v from 'valibot';
import { pendingStartsSettled } from '#src/web/api/operations/pendingStarts.ts';
import { parseJson } from '#src/shared/answers.ts';
import { readStored, store } from '#src/web/storage/browserStorage.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { paths } from '#src/shared/paths.ts';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { BlankSheet } from '#src/web/ui/EmptyState.tsx';
import { ErrorBoundary } from '#src/web/ui/ErrorBoundary.tsx';
import { useDocumentTitle } from '#src/web/ui/PageHeader.tsx';

interface RouteErrorProps {
  error: unknown;
}

/** Shows the error instead of its children, until the next navigation. */
export function RouteBoundary({
  Fallback,
  children,
}: {
  Fallback: ComponentType<RouteErrorProps>;
  children: ReactNode;
}) {
  return (
    <ErrorBoundary at={useLocation()} renderError={(error) => <Fallback error={error} />}>
      {children}
    </ErrorBoundary>
  );
}

export function AppError({ error }: RouteErrorProps) {
  return (
    <main className="main" id="main">
      <RouteError error={error} />
    </main>
  );
}

export function RouteError({ error }: RouteErrorProps) {
  const { pathname, search } = useLocation();
  useDocumentTitle('Error');
  const missing = error instanceof MissingChunk ? error.why : null;
  return (
    <div className="page-body">
      <div className="blank">
        <BlankSheet />
        <h1 tabIndex={-1} data-page-title>
          {missing ? 'Couldn’t load this page' : 'This page stopped working'}
        </h1>
        <p>
          {missing
            ? WHY_MISSING[missing]
            : 'This is a fault in the dashboard, not in your payments: they are safe with the provider, and everything recorded here is kept.'}
        </p>
        <div className="acts-row">
          {/* A full load on purpose: the app itself is loaded again. */}
          <a className={buttonClass('primary')} href={pathname + search}>
            Reload
          </a>
          <a className={buttonClass()} href={paths.balances}>
            Go to Balances
          </a>
        </div>
      </div>
      {!missing && <ErrorNotice error={error} heading="Error details" />}
    </div>
  );
}

const STORAGE_KEY = 'countinghouse.reloaded';
/** Identifies this build: the URL of this chunk contains a hash. */
const BUILD = import.meta.url;
const BUILDS_MAX = 20;
const CONNECTION_TIMEOUT_MS = 5_000;
const buildsSchema = v.fallback(v.array(v.string()), []);

const WHY_MISSING = {
  offline: 'You’re offline.',
  unreachable: 'The dashboard’s server can’t be reached.',
  'new-build': 'A new version is ready. Reload.',
} as const;

export class MissingChunk extends Error {
  override readonly name = 'MissingChunk';
  readonly why: keyof typeof WHY_MISSING;

  constructor(why: keyof typeof WHY_MISSING) {
    super('A part of the app is missing.');
    this.why = why;
  }
}

/** Records that the page is reloaded to leave this build, so that it happens once; false if it did before, or storage fails. */
function leaveThisBuild(): boolean {
  const builds = v.parse(buildsSchema, parseJson(readStored('sessionStorage', STORAGE_KEY)));
  if (builds.includes(BUILD)) return false;
  return store('sessionStorage', STORAGE_KEY, stringifyExact([...builds, BUILD].slice(-BUILDS_MAX)));
}

/** Reloads the app at the same URL and never resolves; resolves with a reason if this build was reloaded before, or offline. */
export async function reloadForNewBuild(): Promise<MissingChunk['why']> {
  await pendingStartsSettled();
  // Offline, a reload would leave an error page of the browser.
  const isOnline = await fetch('/', { method: 'HEAD', signal: AbortSignal.timeout(CONNECTION_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isOnline) return window.navigator.onLine ? 'unreachable' : 'offline';
  if (!leaveThisBuild()) return 'new-build';
  window.location.reload();
  return new Promise<never>(() => {});
}
