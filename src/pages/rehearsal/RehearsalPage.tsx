import { Link } from 'react-router';
import { serviceHost, type Session, useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { AccountClock } from './AccountClock.tsx';
import { ArmedFaults } from './ArmedFaults.tsx';
import { DepositArrives } from './DepositArrives.tsx';
import { FaultForm } from './FaultForm.tsx';
import { Guided } from './Guided.tsx';
import { InFlight } from './InFlight.tsx';
import { Judge } from './Judge.tsx';
import type { Place } from './place.ts';
import './rehearsal.css';
import { TimePassing } from './TimePassing.tsx';

export function Component() {
  const session = useSession();
  const { service, account, sandbox } = session;
  if (sandbox === null) return <Elsewhere session={session} />;
  return <Rehearsal place={{ service, account, sandbox }} readOnly={session.read_only} />;
}

function Elsewhere({ session }: { session: Session }) {
  return (
    <>
      <PageHeader title="Rehearsal" />
      <div className="page-body">
        <div className="blank">
          <p>
            Rehearsal exists on the sandbox only. This gateway leads to <bdi>{serviceHost(session)}</bdi>, and nothing
            there can be made to fail, to arrive or to pass.
          </p>
          <Link className={buttonClass()} to={paths.balances}>
            Go to the first page
          </Link>
        </div>
      </div>
    </>
  );
}

function Rehearsal({ place, readOnly }: { place: Place; readOnly: boolean }) {
  return (
    <>
      <PageHeader title="Rehearsal" asOf={<AccountClock place={place} />} />
      <div className="page-body">
        <div className="pad reh">
          <p className="reh-lead">
            This is the sandbox: no real money. Make a bad day here, go through it in the app as on any other day, and
            see what the ledger counts. Faults and time are this account’s alone.
          </p>
          {readOnly && (
            <Notice tone="plain" title="This session is read-only.">
              No withdrawal can be sent from it; deposits, time and faults on reads can be rehearsed.
            </Notice>
          )}
          <Guided place={place} />
          <div className="reh-columns">
            <div>
              <section className="reh-part" aria-labelledby="wrong">
                <h2 id="wrong">What goes wrong next</h2>
                <FaultForm place={place} />
                <ArmedFaults place={place} />
              </section>
              <section className="reh-part" aria-labelledby="time">
                <h2 id="time">Let time pass</h2>
                <p className="sub small">
                  Only this account’s clock moves, and only forward. What falls due on the way happens. An open
                  operation learns the new time with its next check.
                </p>
                <TimePassing place={place} />
              </section>
            </div>
            <div>
              <section className="reh-part" aria-labelledby="arrives">
                <h2 id="arrives">A deposit arrives</h2>
                <DepositArrives place={place} />
              </section>
              <InFlight place={place} />
              <Judge place={place} />
            </div>
          </div>
        </div>
      </div>
    </>
  );
}
