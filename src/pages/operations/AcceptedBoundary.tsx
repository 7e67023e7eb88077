import { CircleCheck } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Chip } from '#src/ui/Chip.tsx';
import { Said } from './Said.tsx';

interface AcceptedBoundaryProps {
  /** The withdrawal's id, from the record. */
  id: string;
  children: ReactNode;
}

/** Should the view of a success break, the success still stands: it is said from the record alone (faults.md 32). */
export class AcceptedBoundary extends Component<AcceptedBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <section className="verdict verdict-proof" aria-label="State">
        <Said>
          <Chip tone="proof" icon={<CircleCheck aria-hidden />} big>
            Accepted by the service
          </Chip>
          <p>
            <b>The service has accepted this withdrawal</b> as <span className="mono">{this.props.id}</span>. Its
            details could not be shown here; do not send it again.
          </p>
        </Said>
      </section>
    );
  }
}
