import { Component, type ReactNode } from 'react';
import type { StateMark } from '#src/lib/operations/stateMark.ts';
import { LiveStatus } from './StatePage.tsx';

interface AcceptedBoundaryProps {
  /** From the record: its kind's noun and the id that the service named, if any; null while it is not accepted. */
  accepted: { one: string; id: string | null; mark: StateMark } | null;
  children: ReactNode;
}

/** Should the view of a success break, the success still stands: it is said from the record alone. */
export class AcceptedBoundary extends Component<AcceptedBoundaryProps, { error: unknown; broken: boolean }> {
  override state: { error: unknown; broken: boolean } = { error: null, broken: false };

  static getDerivedStateFromError(error: unknown): { error: unknown; broken: boolean } {
    return { error, broken: true };
  }

  override render(): ReactNode {
    const { accepted, children } = this.props;
    if (!this.state.broken) return children;
    // Nothing is proved: the route's own error page has the word.
    if (accepted === null) throw this.state.error;
    return (
      <section className={`verdict verdict-${accepted.mark.tone}`} aria-label="State">
        <LiveStatus mark={accepted.mark}>
          <b>The provider has accepted this {accepted.one}</b>
          {accepted.id !== null && (
            <>
              {' '}
              as <span className="mono">{accepted.id}</span>
            </>
          )}
          . Its details could not be shown here; do not send it again.
        </LiveStatus>
      </section>
    );
  }
}
