import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import type { OperationView } from '#src/operations/outcomes.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { BlockedOperation } from './BlockedOperation.tsx';
import { DamagedOperation } from './DamagedOperation.tsx';

/** The page of an operation that cannot be shown: still loading, unknown here, set aside, or storage that fails. */
export function NoOperation({ view, id }: { view: OperationView; id: string }) {
  const slow = useDelay(view.status === 'loading');
  if (view.status === 'damaged' && view.damaged) return <DamagedOperation damaged={view.damaged} view={view} />;
  if (view.status === 'blocked' && view.blocked) return <BlockedOperation id={id} view={view} blocked={view.blocked} />;
  if (view.status === 'loading') {
    return (
      <>
        <PageHeader title="Operation" />
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
              ? 'Nothing can be sent until it can store records again. Reading balances and lists goes on.'
              : 'It may have been recorded in another browser or for another service, or dropped 7 days after somebody saw it finished. That says nothing about whether money moved.'}
          </p>
          {view.reason !== undefined && <p>{view.reason}</p>}
          <p className="mono">
            <RawText value={id} max={80} />
          </p>
          <Link className={buttonClass()} to={paths.operations}>
            All operations
          </Link>
        </div>
      </div>
    </>
  );
}
