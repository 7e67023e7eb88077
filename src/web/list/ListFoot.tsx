import { CircleAlert, CircleQuestionMark, RotateCw } from 'lucide-react';
import type { NextStep } from '#src/shared/paging/nextStep.ts';
import { areOf, counted, type Noun, numberWords } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { ErrorLine } from './StaleBar.tsx';
import type { RowIndex } from './rows/rowIndex.ts';
import type { AmountSort } from './rows/sortRows.ts';

/** After this many pages in a row without a new row, more are loaded only if the person asks. */
export const BARREN_MAX = 3;

interface ListFootProps {
  noun: Noun;
  index: RowIndex<unknown>;
  end: NextStep | null;
  sort: AmountSort;
  loading: boolean;
  error: unknown;
  onLoadMore: () => void;
}

export function ListFoot({ noun, index, end, sort, loading, error, onLoadMore }: ListFootProps) {
  const count = counted(index.count, noun.one, noun.many);
  if (loading) return <p className="list-foot">Loading more…</p>;
  if (error !== null) return <NextPageError error={error} onRetry={onLoadMore} />;
  if (end?.kind === 'broken') {
    return (
      <div className="list-foot">
        <output className="msg msg-open">
          <CircleQuestionMark className="icon-s" aria-hidden />
          <span>
            {end.reason} {count} loaded
          </span>
        </output>
      </div>
    );
  }
  if (end?.kind === 'end') {
    return (
      <p className="list-foot">
        End of list · {count}
        {leftOut(index)}
      </p>
    );
  }
  if (sort !== undefined && end?.kind === 'more') {
    return (
      <div className="list-foot">
        <span>Only the {count} loaded are sorted.</span>
        <Button size="small" onClick={onLoadMore}>
          Load more
        </Button>
      </div>
    );
  }
  if (index.barren >= BARREN_MAX) {
    return (
      <div className="list-foot">
        <span>The last {index.barren} pages had no row for this list.</span>
        <Button size="small" onClick={onLoadMore}>
          Load more
        </Button>
      </div>
    );
  }
  return null;
}

function leftOut({ repeated, malformed }: RowIndex<unknown>): string {
  const parts: string[] = [];
  if (repeated > 0)
    parts.push(`${numberWords(repeated)} came twice and ${areOf(repeated)} shown once, as it came first`);
  if (malformed > 0) parts.push(`${numberWords(malformed)} had no id and ${areOf(malformed)} not shown`);
  return parts.length === 0 ? '' : `. Of what was sent, ${parts.join('; ')}.`;
}

function NextPageError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="list-foot" role="alert">
      <span className="msg msg-alarm">
        <CircleAlert className="icon-s" aria-hidden />
        <span>
          Couldn’t load more. <ErrorLine error={error} />
        </span>
      </span>
      <Button size="small" icon={<RotateCw className="icon-s" aria-hidden />} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
