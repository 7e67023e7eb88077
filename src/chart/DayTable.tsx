import { useState } from 'react';
import { type Noun, counted, numberWords } from '#src/lib/count.ts';
import type { DayRange } from '#src/list/createdRange.ts';
import { capital, visible } from '#src/lib/text.ts';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { Segmented } from '#src/ui/Segmented.tsx';
import { binsOf, type Series } from './bins.ts';
import { unitFor } from './calendar.ts';
import './chart-table.css';
import { CountColumns } from './CountColumns.tsx';
import type { Counted } from './counted.ts';
import { leftOutWords, progressWords, titleWords } from './countWords.ts';
import { SumColumns } from './SumColumns.tsx';

/** Beyond this many days a table by weeks is read faster. */
const ROWS_MAX = 400;

interface DayTableProps {
  counted: Counted;
  series: readonly Series[];
  span: DayRange;
  noun: Noun;
  onClose: () => void;
}

/** What the chart shows, in figures, the newest day first; each day leads to its rows. Sums too, which no chart could show. */
export function DayTable({ counted, series, span, noun, onClose }: DayTableProps) {
  const [of, setOf] = useState<'counts' | 'sums'>('counts');
  const unit = unitFor(span, ROWS_MAX);
  const title = titleWords(noun, unit);
  const Table = of === 'counts' ? CountColumns : SumColumns;
  return (
    <Dialog open onClose={onClose} title={title} actions={<Button onClick={onClose}>Close</Button>}>
      <div className="chart-table-head">
        <p className="small sub">
          {progressWords(counted)}. {leftOutWords(counted, noun)} {of === 'sums' && sumWords(counted, series, noun)}
        </p>
        <Segmented
          label="Figures"
          value={of}
          options={[
            { value: 'counts', label: 'Counts' },
            { value: 'sums', label: 'Sums' },
          ]}
          onChange={setOf}
        />
      </div>
      <div className="chart-table">
        <Table
          counted={counted}
          series={series}
          bins={binsOf(counted, series, span, unit).toReversed()}
          span={span}
          title={title}
          head={capital(unit)}
          onFollow={onClose}
        />
      </div>
    </Dialog>
  );
}

/** What is in the sums, and what is not. */
function sumWords({ filters: { status } }: Counted, series: readonly Series[], noun: Noun): string {
  const of =
    status === undefined
      ? `Includes failed ${noun.many}. Filter by status to exclude them.`
      : `Exact sums of status ${visible(status)}.`;
  const others = series.find(({ asset }) => asset === null);
  if (!others) return of;
  return `${of} ${numberWords(others.assets)} more assets with ${counted(others.rows, noun.one, noun.many)}: filter by one to sum it.`;
}
