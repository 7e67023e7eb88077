import { Component, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { useDocumentTitle } from '#src/ui/PageHeader.tsx';
import { ErrorNotice } from '#src/list/ErrorNotice.tsx';
import { MissingChunk } from './chunkReload.ts';

interface Broken {
  error: unknown;
}

interface BoundaryProps {
  Shown: ComponentType<Broken>;
  children: ReactNode;
}

/** Shows something else in the place of what broke, until somebody goes elsewhere. */
export function ErrorBoundary(props: BoundaryProps) {
  return <Boundary at={useLocation()} {...props} />;
}

interface BoundaryState {
  at: object;
  broken: Broken | null;
}

class Boundary extends Component<BoundaryProps & { at: object }, BoundaryState> {
  override state: BoundaryState = { at: this.props.at, broken: null };

  static getDerivedStateFromError(error: unknown) {
    return { broken: { error } };
  }

  static getDerivedStateFromProps({ at }: { at: object }, state: { at: object }) {
    return at === state.at ? null : { at, broken: null };
  }

  override render(): ReactNode {
    const { Shown, children } = this.props;
    const { broken } = this.state;
    return broken ? <Shown error={broken.error} /> : children;
  }
}

/** What is shown when the shell itself broke. */
export function AppError({ error }: Broken) {
  return (
    <main className="main" id="main">
      <RouteError error={error} />
    </main>
  );
}

/** What a page shows instead of itself when it broke, or when its part of the app is missing. */
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
