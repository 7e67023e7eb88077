import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { readLocationState } from '#src/web/storage/locationState.ts';
import type { StateMark } from '#src/shared/operations/states.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { paths } from '#src/shared/paths.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import './operations.css';

interface StatePageProps {
  title: string;
  linked?: boolean;
  tone?: 'open' | 'motion' | undefined;
  /** The operation's key, where the page has nothing else to name. */
  address?: string;
  above?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
}

/** Where an operation stands, on the ground of its tone; on a tint the quietest ink is too faint. */
export function verdictClass(tone: string | undefined): string {
  return `verdict-${tone ?? 'plain'} grid gap-2 border-y border-[color:var(--tone-rule,var(--color-rule))] bg-[var(--tone-tint,var(--color-inset))] px-gutter pt-4 pb-5 [&_.acts-row]:pt-2 [&_.dim]:text-ink-2 [&_.facts]:max-w-184 [&_.facts_dt]:text-ink-2`;
}

export const saidClass = 'grid justify-items-start gap-2 [&_p]:max-w-184 [&_p]:text-lead';

export function StatePage({ title, linked = false, tone, address, above, below, children }: StatePageProps) {
  return (
    <PageFrame title={title} actions={linked && <Link to={paths.operations}>All operations</Link>}>
      {above}
      <section className={verdictClass(tone)} aria-label="State">
        {children}
        {address !== undefined && (
          <p className="small sub mono">
            <UntrustedText value={address} max={80} />
          </p>
        )}
      </section>
      {below}
    </PageFrame>
  );
}

interface LiveStatusProps {
  mark: StateMark;
  live?: 'status' | 'alert';
  calm?: boolean;
  children: ReactNode;
}

/** A chip and one sentence, announced when they change. `alert` interrupts, and is for a contradicted payment alone. */
export function LiveStatus({ mark, live = 'status', calm = false, children }: LiveStatusProps) {
  return (
    <div role={live} className={calm ? 'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1' : saidClass}>
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

interface ArrivalNoticeProps {
  tone: 'open' | 'alarm' | 'plain';
  title: string;
  children: ReactNode;
}

/** What has to be known first by whoever arrives; `plain` stands as long as the operation does. */
export function ArrivalNotice({ tone, title, children }: ArrivalNoticeProps) {
  return (
    <div className="px-gutter pb-3">
      <Notice tone={tone} title={title} live={tone !== 'plain'}>
        {children}
      </Notice>
    </div>
  );
}

export function ExistingOperationNotice({ of }: { of?: Operation }) {
  if (!readLocationState(useLocation().state).instead) return null;
  const isOpen = of?.kind === 'withdrawal' && of.state === 'unconfirmed';
  return (
    <ArrivalNotice tone="open" title="Nothing new was recorded or sent.">
      {isOpen ? 'A payment to this recipient is still unconfirmed.' : 'This one is in its way and not resolved yet.'}{' '}
      Resolve it first.
    </ArrivalNotice>
  );
}

interface Accepted {
  one: string;
  /** Named by the service. */
  id: string | null;
  mark: StateMark;
}

/** Should the view of a success break, the success still stands: it is said from the record alone. */
export function acceptedAnyway(accepted: Accepted | null, error: unknown) {
  // Nothing is proved: the route's own error page has the word.
  if (accepted === null) throw error;
  return (
    <section className={verdictClass(accepted.mark.tone)} aria-label="State">
      <LiveStatus mark={accepted.mark}>
        <b>The provider has accepted this {accepted.one}</b>
        {accepted.id !== null && (
          <>
            {' '}
            as{' '}
            <span className="mono" translate="no">
              {accepted.id}
            </span>
          </>
        )}
        . Its details could not be shown here; do not send it again.
      </LiveStatus>
    </section>
  );
}
