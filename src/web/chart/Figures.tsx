import { Link, useLocation } from 'react-router';
import { formatAmount } from '#src/shared/amount.ts';
import { rowPath } from '#src/shared/paths.ts';
import { counted, numberWords, type Noun, visibleCode } from '#src/shared/text.ts';
import { dateOf } from '#src/shared/time.ts';
import { type DayRange, dayWords } from '#src/shared/createdRange.ts';
import { Amount, useAmountsHidden } from '#src/web/ui/Amount.tsx';
import type { Unit } from './calendar.ts';
import { type Counted, motionIn } from './counted.ts';
import { spanWords, statusWord } from './countWords.ts';
import type { Measure, ChartMetric } from './bins.ts';

/** Averages count only whole days, weeks, months or years. */
const AVERAGE: Record<Unit, string> = {
  day: 'Daily average',
  week: 'Weekly average',
  month: 'Monthly average',
  year: 'Yearly average',
};

interface FiguresProps {
  counted: Counted;
  measured: ChartMetric;
  what: Measure;
  span: DayRange;
  unit: Unit;
  noun: Noun;
  at: string;
}

export function Figures({ counted: of, measured: { total, mean }, what, span, unit, noun, at }: FiguresProps) {
  const { search } = useLocation();
  const hidden = useAmountsHidden();
  const { done, failed, largest } = total;
  const asset = what.kind === 'amount' ? visibleCode(what.asset) : undefined;
  const motion = motionIn(total);
  const said = (part: { rows: number; sum: string }) =>
    asset === undefined ? (
      numberWords(part.rows)
    ) : (
      <>
        <Amount value={part.sum} flow /> in {numberWords(part.rows)}
      </>
    );
  return (
    <>
      <p className="text-label text-ink-3">
        <Key className="k1" /> {statusWord(of)}, {spanWords(span)}
        {of.end !== 'all' && ', as far as loaded'}
      </p>
      <p className="figure">
        {asset === undefined ? counted(done.rows, noun.one, noun.many) : <Amount value={done.sum} asset={asset} flow />}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-small [&_dt]:text-ink-3 [&_dt:not(:has(svg))]:pl-5">
        {mean !== null && (
          <>
            <dt>
              <Key className="mean" /> {AVERAGE[unit]}
            </dt>
            <dd translate="no">≈ {hidden && asset !== undefined ? '•••••' : formatAmount(mean)}</dd>
          </>
        )}
        {failed.rows > 0 && (
          <>
            <dt>
              <Key className="k-failed" /> Failed
            </dt>
            <dd className="text-alarm">{said(failed)}</dd>
          </>
        )}
        {motion.rows > 0 && (
          <>
            <dt>In progress</dt>
            <dd>{said(motion)}</dd>
          </>
        )}
        {total.unreadable > 0 && asset !== undefined && (
          <>
            <dt>Unreadable</dt>
            <dd>{counted(total.unreadable, 'amount', 'amounts')} not in these sums</dd>
          </>
        )}
        {largest !== null && asset !== undefined && (
          <>
            <dt>Largest</dt>
            <dd>
              <Link to={rowPath(at, largest.id, search)}>
                <Amount value={largest.amount} flow />
              </Link>{' '}
              on {dayWords(dateOf(largest.at, of.zone)).slice(0, -5)}
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

function Key({ className }: { className: string }) {
  return (
    <svg className="inline-block h-2.5 w-4 align-[-0.0625rem]" viewBox="0 0 16 10" aria-hidden>
      {className === 'mean' ? (
        <line className="mean" x1="0" x2="16" y1="5" y2="5" />
      ) : (
        <rect
          className={className}
          x="3"
          y={className === 'k1' ? 0 : 3}
          width="9"
          height={className === 'k1' ? 10 : 4}
        />
      )}
    </svg>
  );
}
