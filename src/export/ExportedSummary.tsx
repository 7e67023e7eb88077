import { useEffect } from 'react';
import { areOf, counted, numberWords } from '#src/lib/text.ts';
import { announce } from '#src/ui/announce.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts, TextFact } from '#src/ui/Facts.tsx';
import type { ExportProgress } from './exportRun.ts';
import type { PageFilters } from '#src/list/filters/listFilters.tsx';
import { mayHaveMoved } from './manifest.ts';
import { RowSumsTable } from '#src/list/rowSums.tsx';

interface ExportedSummaryProps {
  progress: ExportProgress;
  fileName: string;
  filters: PageFilters;
}

const rowsText = (rows: number): string => counted(rows, 'row', 'rows');

export function ExportedSummary({ progress, fileName, filters }: ExportedSummaryProps) {
  const { rows, complete, repeated, malformed, newer, outside, unmatched, totals, sha256 } = progress;
  const withoutId = malformed === 1 ? '1 item had no id and is' : `${numberWords(malformed)} items had no id and are`;
  const leftOut = [
    [repeated, `${rowsText(repeated)} came twice and ${areOf(repeated)} in the file once, as it came first.`],
    [malformed, `${withoutId} not in the file.`],
    [newer, `${rowsText(newer)} came meanwhile and ${areOf(newer)} not in the file.`],
    [outside, `${rowsText(outside)} outside the chosen days left out.`],
    [unmatched, `${rowsText(unmatched)} of another chain or amount left out.`],
  ] as const;
  useEffect(() => announce('Export finished'), []);
  return (
    <>
      <p>
        {rowsText(rows)} exported ({complete ? 'complete' : 'incomplete: rows are missing'})
      </p>
      {leftOut.map(
        ([rows, words]) =>
          rows > 0 && (
            <p key={words} className="small">
              {words}
            </p>
          ),
      )}
      <Facts>
        <TextFact label="File" mono value={fileName} max={120} />
        <Fact label="SHA-256" mono action={<CopyButton value={sha256} label="Copy SHA-256" />}>
          {sha256}
        </Fact>
      </Facts>
      {totals.length > 0 && <RowSumsTable sums={totals} />}
      <p className="small sub">{mayHaveMoved(filters, progress).join(' ')}</p>
    </>
  );
}
