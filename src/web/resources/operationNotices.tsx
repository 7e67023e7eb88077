import { Link } from 'react-router';
import type { OperationView, UnreadableOperation } from '#src/shared/contract/gatewayContract.ts';
import { titleOf } from '#src/shared/operations/kinds.ts';
import { paths } from '#src/shared/paths.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';

/** The provider refuses this session's key, so the session can only read and close the operations recorded with it. */
export function RefusedKeyNotice() {
  return (
    <div className="px-gutter py-4">
      <Notice tone="open" title="The provider doesn’t accept this key any more.">
        You can see and close what was recorded with it.
      </Notice>
    </div>
  );
}

interface RestoredNoticeProps {
  /** Milliseconds by the database's clock. */
  since: number | null;
  loaded: readonly OperationView[];
}

/** Warns that newer records are missing after a restore, so that operations sent since may repeat one of them. */
export function RestoredNotice({ since, loaded }: RestoredNoticeProps) {
  const hidden = useAmountsHidden();
  const sent = loaded.filter(({ operation: { firstSent, attempts } }) => {
    return since !== null && firstSent.database >= since && attempts.length > 0;
  });
  return (
    <div className="px-gutter py-4">
      <Notice tone="alarm" live title="The database was restored from an older copy.">
        Newer records are missing here, and what they recorded may have been sent. Check with the provider before you
        pay anything again.
        {sent.length > 0 && (
          <>
            <p className="pt-2">Sent while nobody knew what is missing:</p>
            <ul className="list-disc pl-5">
              {sent.map(({ operation }) => (
                <li key={operation.key}>
                  <Link to={paths.operation(operation.key)}>{titleOf(operation, hidden)}</Link>{' '}
                  <Time unix={operation.firstSent.service} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Notice>
    </div>
  );
}

export function DamagedRecords({ rows }: { rows: readonly UnreadableOperation[] }) {
  if (rows.length === 0) return null;
  return (
    <div className="px-gutter pb-4">
      <Notice
        tone={rows.some(({ closed }) => closed === null) ? 'open' : 'plain'}
        title={rows.length === 1 ? 'One record cannot be read.' : `${rows.length} records cannot be read.`}
      >
        It can’t be sent, and the same can’t be sent again until it is closed.
        <ul>
          {rows.map(({ key, firstSentAt, closed }) => (
            <li key={key}>
              <Link to={paths.operation(key)}>{closed ? 'Closed record' : 'Unreadable record'}</Link>, recorded{' '}
              {firstSentAt === null ? 'at a time that cannot be read' : <Time unix={firstSentAt} age />}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
