import { CircleAlert, CircleQuestionMark, RotateCw } from 'lucide-react';
import type { NextStep } from '#src/api/paging.ts';
import { counted, numberWords } from '#src/lib/count.ts';
import { formatClock } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { ErrorLine } from './ErrorLine.tsx';
import type { RowIndex } from './rowIndex.ts';

/** After this many pages in a row without a new row, reading on is the person's choice. */
export const BARREN_MAX = 3;

interface ListFootProps {
  index: RowIndex<unknown>;
  /** How the pages read so far end. */
  end: NextStep | null;
  /** When the first page was read, Unix seconds. */
  since: number;
  reading: boolean;
  /** The next page failed; the rows stay. */
  error: unknown;
  onReadOn: () => void;
}

/** What stands under the last row: reading on, an error with Retry, the end, or why reading stopped. */
export function ListFoot({ index, end, since, reading, error, onReadOn }: ListFootProps) {
  const zone = useZone();
  if (reading) return <output className="list-foot">Reading the next rows …</output>;
  if (error !== null) return <NextPageError error={error} onRetry={onReadOn} />;
  if (end?.kind === 'broken') {
    return (
      <div className="list-foot">
        <output className="msg msg-open">
          <CircleQuestionMark className="icon-s" aria-hidden />
          <span>
            {end.reason} {countOf(index)}
          </span>
        </output>
      </div>
    );
  }
  if (end?.kind === 'end') {
    const clock = `${formatClock(since, zone)}${zone === 'utc' ? ' UTC' : ''}`;
    return (
      <output className="list-foot">
        End of the list, as the service says. {countOf(index)} since {clock}.{leftOut(index)}
      </output>
    );
  }
  if (index.barren >= BARREN_MAX) {
    return (
      <div className="list-foot">
        <span>
          The last {index.barren} pages brought no new row, so reading stopped. {countOf(index)}.
        </span>
        <Button size="small" onClick={onReadOn}>
          Read on
        </Button>
      </div>
    );
  }
  return null;
}

function countOf({ count }: RowIndex<unknown>): string {
  return `${counted(count, 'row', 'rows')} read`;
}

function leftOut({ repeated, malformed }: RowIndex<unknown>): string {
  const parts: string[] = [];
  if (repeated > 0) parts.push(`${numberWords(repeated)} came twice and stand here once`);
  if (malformed > 0) parts.push(`${numberWords(malformed)} had no id and are not shown`);
  return parts.length === 0 ? '' : ` Of what was sent, ${parts.join('; ')}.`;
}

function NextPageError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="list-foot" role="alert">
      <span className="msg msg-alarm">
        <CircleAlert className="icon-s" aria-hidden />
        <span>
          The next page could not be read; the rows above stay. <ErrorLine error={error} />
        </span>
      </span>
      <Button size="small" icon={<RotateCw className="icon-s" aria-hidden />} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
