import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import type { OperationView } from '#src/operations/outcomes.ts';
import type { DamagedRecord } from '#src/operations/record.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { Chip } from '#src/ui/Chip.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { Said } from './Said.tsx';

/** The page of an operation that cannot be shown: still loading, unknown here, damaged, or storage that fails. */
export function NoOperation({ view, id }: { view: OperationView; id: string }) {
  const slow = useDelay(view.status === 'loading');
  if (view.status === 'damaged' && view.damaged) return <Damaged damaged={view.damaged} />;
  if (view.status === 'blocked' && view.blocked) return <Blocked firstSentAt={view.blocked.firstSentAt} />;
  if (view.status === 'loading') {
    return (
      <>
        <PageHeader title="Withdrawal" />
        <div className="page-body pad" aria-busy>
          {slow && <output>Reading what this browser recorded</output>}
        </div>
      </>
    );
  }
  const unavailable = view.status === 'unavailable';
  return (
    <>
      <PageHeader title={unavailable ? 'Records cannot be read' : 'No such operation here'} />
      <div className="page-body">
        <div className="blank">
          <h2>
            {unavailable ? 'This browser’s records cannot be read' : 'This browser has no operation with this id'}
          </h2>
          <p>
            {unavailable
              ? 'Withdrawals are refused until it can store records again. Reading balances and lists goes on.'
              : 'It may have been recorded in another browser, for another account, or for another service. That says nothing about whether money moved.'}
          </p>
          {view.reason !== undefined && <p>{view.reason}</p>}
          <p className="mono">
            <RawText value={id} max={80} />
          </p>
          <Link className={buttonClass()} to={paths.withdrawals()}>
            Go to withdrawals
          </Link>
        </div>
      </div>
    </>
  );
}

/** Another account's: only when it was first sent is said here. */
function Blocked({ firstSentAt }: { firstSentAt: number }) {
  return (
    <>
      <PageHeader title="Another account’s operation" />
      <div className="page-body">
        <div className="blank">
          <h2>Another account recorded this in this browser</h2>
          <p>Its details are not shown here. Sign in to that account to settle it.</p>
          <p>
            First sent <Time unix={firstSentAt} age />
          </p>
          <Link className={buttonClass()} to={paths.withdrawals()}>
            Go to withdrawals
          </Link>
        </div>
      </div>
    </>
  );
}

const WHY: Record<DamagedRecord['why'], string> = {
  checksum: 'Its checksum does not match what was written.',
  schema: 'It is not what this app writes.',
  'newer-version': 'A newer version of this app wrote it.',
};

function Damaged({ damaged }: { damaged: DamagedRecord }) {
  return (
    <>
      <PageHeader title="A damaged record" />
      <div className="page-body">
        <section className="verdict verdict-open" aria-label="State">
          <Said>
            <Chip tone="open" big>
              Set aside
            </Chip>
            <p>
              <b>This record of a withdrawal cannot be trusted.</b> {WHY[damaged.why]} It is never sent, and it holds
              back
              {damaged.blocks === null
                ? ' every new withdrawal, because its destination cannot be read.'
                : ' payments to the same destination.'}
            </p>
          </Said>
        </section>
        <div className="pad">
          <Facts>
            <Fact label="Record" mono>
              <RawText value={damaged.id} max={80} />
            </Fact>
            <Fact label="First sent">
              {damaged.firstSentAt === null ? 'cannot be read' : <Time unix={damaged.firstSentAt} age />}
            </Fact>
          </Facts>
        </div>
      </div>
    </>
  );
}
