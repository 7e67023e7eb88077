import { useLocation, useRouteError } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { useDocumentTitle } from '#src/ui/documentTitle.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { MissingChunk } from './chunkReload.ts';

/** What is shown when the shell itself broke. */
export function AppError() {
  return (
    <main className="main" id="main">
      <RouteError />
    </main>
  );
}

/** What a page shows instead of itself when it broke, or when its part of the app could not be read. */
export function RouteError() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  useDocumentTitle('Error');
  const missing = error instanceof MissingChunk;
  return (
    <div className="page-body">
      <div className="blank">
        <h1 tabIndex={-1} data-page-title>
          {missing ? 'This page could not be loaded' : 'This page stopped working'}
        </h1>
        <p>
          {missing
            ? 'A part of the app could not be read: there is a newer version of it, or the connection failed. Reading the app again is the way on.'
            : 'This is a fault in the dashboard. It says nothing about money: what was sent or received is with the provider, and what was recorded is kept.'}
        </p>
        <div className="acts-row">
          {/* A full load on purpose: the app itself is read again. */}
          <a className={buttonClass('primary')} href={pathname + search}>
            Read the app again
          </a>
          <a className={buttonClass()} href={paths.balances}>
            Go to the balances
          </a>
        </div>
      </div>
      {!missing && <ErrorNotice error={describeError(error)} heading="What broke" />}
    </div>
  );
}
