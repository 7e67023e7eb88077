import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { useRequestLog } from '#src/api/requestLog.ts';
import { paths } from '#src/lib/paths.ts';
import { DetailPanel } from '#src/list/DetailPanel.tsx';
import { CallDetail } from './CallDetail.tsx';
import { callsOf } from './calls.ts';

export function Component() {
  const { id = '' } = useParams();
  const log = useRequestLog();
  const calls = useMemo(() => callsOf(log), [log]);
  const call = calls.find(({ number }) => String(number) === id);
  return (
    <DetailPanel title="Request" documentTitle={`Request ${id}`} listPath={paths.requests()}>
      {call ? (
        <CallDetail key={call.number} call={call} calls={calls} />
      ) : (
        <>
          <h3>Not in this tab’s log</h3>
          <p>
            It keeps the newest 1,000 attempts of one tab, until you sign out. What was sent under an Idempotency-Key is
            in <Link to={paths.operations}>Operations</Link>.
          </p>
        </>
      )}
    </DetailPanel>
  );
}
