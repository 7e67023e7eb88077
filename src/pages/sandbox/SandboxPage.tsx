import { Link } from 'react-router';
import { serviceHost, type Session, useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { AccountClock, TimePassing } from './Clock.tsx';
import { Part } from './control.tsx';
import { ActiveFailures, FaultForm } from './Failures.tsx';
import { Guided } from './Guided.tsx';
import { InFlight } from './InFlight.tsx';
import { LedgerTotals } from './Ledger.tsx';
import { NewDeposit, NewSwap } from './NewMovements.tsx';

export function Component() {
  const session = useSession();
  return session.sandbox === null ? <Elsewhere session={session} /> : <Simulator readOnly={session.read_only} />;
}

function Elsewhere({ session }: { session: Session }) {
  return (
    <>
      <PageHeader title="Simulator" />
      <div className="page-body">
        <div className="blank">
          <p>
            The simulator works with the sandbox only. This server is connected to <bdi>{serviceHost(session)}</bdi>.
          </p>
          <Link className={buttonClass()} to={paths.balances}>
            Go to Balances
          </Link>
        </div>
      </div>
    </>
  );
}

function Simulator({ readOnly }: { readOnly: boolean }) {
  return (
    <>
      <PageHeader title="Simulator" asOf={<AccountClock />} />
      <div className="page-body">
        <div className="pad grid max-w-312 gap-6 [&_.err]:p-0 [&_.err]:pt-3">
          <p className="max-w-measure text-ink-2">
            Simulate outages and late payments, then handle them as in real life. This is the sandbox, with no real
            money; failures and time are this account’s alone.
          </p>
          {readOnly && (
            <Notice tone="plain" title="This session is read-only.">
              No withdrawal can be sent from it; deposits, time and failures of reads can be simulated.
            </Notice>
          )}
          <Guided />
          <div className="grid grid-cols-2 items-start gap-x-12 gap-y-8 medium:gap-8 narrow:grid-cols-1">
            <div className="grid min-w-0 grid-cols-1 gap-8">
              <Part title="Failures">
                <FaultForm />
                <ActiveFailures />
              </Part>
              <Part title="Clock">
                <p className="sub small">
                  Only this account’s clock moves, and only forward. Anything due is processed. An open operation learns
                  the new time with its next check.
                </p>
                <TimePassing />
              </Part>
            </div>
            <div className="grid min-w-0 grid-cols-1 gap-8">
              <Part title="New deposit">
                <NewDeposit />
              </Part>
              <Part title="New swap">
                <p className="sub small">Moves value between two balances, with no transaction on a chain.</p>
                <NewSwap />
              </Part>
              <InFlight />
              <LedgerTotals />
            </div>
          </div>
        </div>
      </div>
    </>
  );
}
