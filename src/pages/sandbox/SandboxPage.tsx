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
import { Part } from './Part.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';
import { TimePassing } from './TimePassing.tsx';

export function Component() {
  const session = useSession();
  const { service, account, sandbox } = session;
  if (sandbox === null) return <Elsewhere session={session} />;
  return <Rehearsal owner={{ service, account, sandbox }} readOnly={session.read_only} />;
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

function Rehearsal({ owner, readOnly }: { owner: SandboxAccount; readOnly: boolean }) {
  return (
    <>
      <PageHeader title="Rehearsal" asOf={<AccountClock owner={owner} />} />
      <div className="page-body">
        <div className="pad grid max-w-312 gap-6 [&_.err]:p-0 [&_.err]:pt-3">
          <p className="max-w-measure text-ink-2">
            This is the sandbox: no real money. Make a bad day here, go through it in the app as on any other day, and
            see what the ledger counts. Faults and time are this account’s alone.
          </p>
          {readOnly && (
            <Notice tone="plain" title="This session is read-only.">
              No withdrawal can be sent from it; deposits, time and faults on reads can be rehearsed.
            </Notice>
          )}
          <Guided owner={owner} />
          <div className="grid grid-cols-2 items-start gap-x-12 gap-y-8 medium:gap-8 narrow:grid-cols-1">
            <div className="grid min-w-0 grid-cols-1 gap-8">
              <Part title="What goes wrong next">
                <FaultForm owner={owner} />
                <ArmedFaults owner={owner} />
              </Part>
              <Part title="Let time pass">
                <p className="sub small">
                  Only this account’s clock moves, and only forward. What falls due on the way happens. An open
                  operation learns the new time with its next check.
                </p>
                <TimePassing owner={owner} />
              </Part>
            </div>
            <div className="grid min-w-0 grid-cols-1 gap-8">
              <Part title="A deposit arrives">
                <DepositArrives owner={owner} />
              </Part>
              <InFlight owner={owner} />
              <Judge owner={owner} />
            </div>
          </div>
        </div>
      </div>
    </>
  );
}
