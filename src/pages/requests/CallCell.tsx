import { Link } from 'react-router';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { numberWords } from '#src/lib/count.ts';
import { shorten, visible } from '#src/lib/text.ts';
import { formatClock } from '#src/lib/time.ts';
import { useZone } from '#src/ui/Time.tsx';
import type { CallColumn } from './callColumns.ts';
import type { LoggedCall } from './calls.ts';
import { OutcomeChip } from './OutcomeChip.tsx';

const PATH_MAX = 240;

interface CallCellProps {
  call: LoggedCall;
  column: CallColumn;
  href: string;
}

export function CallCell({ call, column, href }: CallCellProps) {
  const { last, attempts } = call;
  const notes = notesOf(call);
  switch (column) {
    case 'started':
      return <Started at={(attempts[0] ?? last).at} />;
    case 'method':
      return <span className={last.method === 'GET' ? 'sub' : 'font-semibold'}>{last.method}</span>;
    case 'path':
      return (
        <Link to={href} className="id clip" data-row-link>
          <bdi data-tip={last.path}>{visible(last.path.slice(0, PATH_MAX))}</bdi>
        </Link>
      );
    case 'outcome':
      return (
        <>
          <OutcomeChip record={last} />
          {notes !== '' && <span className="small sub clip">{notes}</span>}
        </>
      );
    case 'ms':
      return <>{last.ms === null ? '' : `${numberWords(last.ms)} ms`}</>;
    case 'request':
      return <Id value={last.requestId} />;
    case 'key':
      break;
  }
  return <Id value={last.key} />;
}

function notesOf({ attempts, last }: LoggedCall): string {
  const notes = [
    ...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
    ...(last.replayed ? ['replayed'] : []),
    ...(last.answer?.gatewayError == null ? [] : ['by the gateway']),
  ];
  return notes.join(', ');
}

/** The clock alone: the log is of one session. */
function Started({ at }: Pick<RequestRecord, 'at'>) {
  const unix = Math.floor(at / 1000);
  return <span data-tip-unix={unix}>{formatClock(unix, useZone())}</span>;
}

function Id({ value }: { value: string | null }) {
  if (value === null) return <span className="dim">none</span>;
  return (
    <bdi className="id clip" data-tip={value}>
      {visible(shorten(value))}
    </bdi>
  );
}
