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
import { ErrorBoundary } from '#src/web/ui/ErrorBoundary.tsx';
import { useDocumentTitle } from '#src/web/ui/PageHeader.tsx';

interface Broken {
  error: unknown;
}

/** Shows something else in the place of what broke, until somebody goes elsewhere. */
export function RouteBoundary({ Shown, children }: { Shown: ComponentType<Broken>; children: ReactNode }) {
  return (
    <ErrorBoundary at={useLocation()} renderError={(error) => <Shown error={error} />}>
      {children}
    </ErrorBoundary>
  );
}

export function AppError({ error }: Broken) {
  return (
    <main className="main" id="main">
      <RouteError error={error} />
    </main>
  );
}

export function RouteError({ error }: Broken) {
  const { pathname, search } = useLocation();
  useDocumentTitle('Error');
  const missing = error instanceof MissingChunk;
  return (
    <div className="page-body">
      <div className="blank">
        <h1 tabIndex={-1} data-page-title>
          {missing ? 'Couldn’t load this page' : 'This page stopped working'}
        </h1>
        <p>
          {missing
            ? 'There is a newer version of the dashboard, or no connection. Reload to continue.'
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
/** Names this build: the URL of the chunk that holds this module is different in each. */
const BUILD = import.meta.url;
const KEPT = 20;
const CONNECTION_MS = 5_000;
const buildsSchema = v.fallback(v.array(v.string()), []);

export class MissingChunk extends Error {
  override readonly name = 'MissingChunk';
}

/** Notes that this build is being left; false when it was left before, or when nothing can be noted. */
function giveUpThisBuild(): boolean {
  const builds = v.parse(buildsSchema, parseJson(readStored('sessionStorage', STORAGE_KEY)));
  if (builds.includes(BUILD)) return false;
  return store('sessionStorage', STORAGE_KEY, stringifyExact([...builds, BUILD].slice(-KEPT)));
}

/** Reads the app again at the page that was asked for and never returns, or returns when this build had its turn. */
export async function reloadForNewBuild(): Promise<void> {
  await pendingStartsSettled();
  // Without a connection nothing would come in its place.
  const isThere = await fetch('/', { method: 'HEAD', signal: AbortSignal.timeout(CONNECTION_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isThere || !giveUpThisBuild()) return;
  window.location.reload();
  await new Promise<never>(() => {});
}
