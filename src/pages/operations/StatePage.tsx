import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { readLocationState } from '#src/lib/locationState.ts';
import type { StateMark } from '#src/lib/operations/stateMark.ts';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';
import './operations.css';

interface StatePageProps {
  title: string;
  /** Whether the heading has the way to the list beside it. */
  linked?: boolean;
  tone?: 'open' | 'motion' | undefined;
  /** The operation's key, where the page has nothing else to name. */
  address?: string;
  /** Between the heading and the state. */
  above?: ReactNode;
  /** Below the state. */
  below?: ReactNode;
  children: ReactNode;
}

/** A page that shows where a key stands, and no operation. */
export function StatePage({ title, linked = false, tone, address, above, below, children }: StatePageProps) {
  return (
    <>
      <PageHeader title={title} actions={linked && <Link to={paths.operations}>All operations</Link>} />
      <div className="page-body">
        {above}
        <section className={tone ? `verdict verdict-${tone}` : 'verdict'} aria-label="State">
          {children}
          {address !== undefined && (
            <p className="small sub mono">
              <RawText value={address} max={80} />
            </p>
          )}
        </section>
        {below}
      </div>
    </>
  );
}

/** A chip and one sentence, announced when they change. `alert` interrupts, and is for a contradicted payment alone. */
export function LiveStatus(props: { mark: StateMark; live?: 'status' | 'alert'; children: ReactNode }) {
  const { mark, live = 'status', children } = props;
  return (
    <div role={live} className="said">
      <StateChip mark={mark} />
      <p>{children}</p>
    </div>
  );
}

export function AllOperations({ quiet = false }: { quiet?: boolean }) {
  return (
    <Link className={buttonClass(quiet ? 'quiet' : 'plain')} to={paths.operations}>
      All operations
    </Link>
  );
}

/** Says why a form led here instead of sending. */
export function ExistingOperationNotice() {
  if (!readLocationState(useLocation().state).instead) return null;
  return (
    <div className="arrival">
      <Notice tone="open" live="status" title="Nothing new was recorded or sent.">
        This one is for the same and is not resolved yet. Resolve it first, then start another if you still want one.
      </Notice>
    </div>
  );
}
