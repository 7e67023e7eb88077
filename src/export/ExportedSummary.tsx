import type { ListFilters } from '#src/api/contract.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import type { ExportProgress } from './exportRun.ts';
import { rowsText } from './ExportProgressLine.tsx';
import { mayHaveMoved } from './manifest.ts';

interface ExportedSummaryProps {
  progress: ExportProgress;
  fileName: string;
  filters: ListFilters;
}

function withoutId(items: number): string {
  return items === 1 ? '1 item had no id and is' : `${items.toLocaleString('en')} items had no id and are`;
}

/** What is in the file, what was left out, and what may have moved while it was read. */
export function ExportedSummary({ progress, fileName, filters }: ExportedSummaryProps) {
  const { rows, complete, repeated, malformed, newer, totals, sha256 } = progress;
  return (
    <>
      <output>
        {rowsText(rows)} saved, {complete ? 'read to the end of the list.' : 'not read to the end: rows are missing.'}
      </output>
      {repeated > 0 && <p className="small">{rowsText(repeated)} came twice and stand in the file once.</p>}
      {malformed > 0 && <p className="small">{withoutId(malformed)} not in the file.</p>}
      {newer > 0 && <p className="small">{rowsText(newer)} came while it read and are not in the file.</p>}
      <Facts>
        <Fact label="File" mono>
          <RawText value={fileName} max={120} />
        </Fact>
        <Fact label="SHA-256" mono action={<CopyButton value={sha256} label="Copy SHA-256" />}>
          {sha256}
        </Fact>
      </Facts>
      {totals.length > 0 && (
        <div className="export-totals">
          <table className="labelled">
            <caption className="vh">Exact sums per asset and status</caption>
            <thead>
              <tr>
                <th scope="col">Asset</th>
                <th scope="col">Status</th>
                <th scope="col">Rows</th>
                <th scope="col">Sum</th>
              </tr>
            </thead>
            <tbody>
              {totals.map(({ asset, status, rows: count, sum, unreadable }) => (
                <tr key={stringifyExact([asset, status])}>
                  <td data-label="Asset">{asset === null ? 'no asset' : <RawText value={asset} max={24} />}</td>
                  <td data-label="Status">{status === null ? 'no status' : <RawText value={status} max={24} />}</td>
                  <td data-label="Rows">{count.toLocaleString('en')}</td>
                  <td data-label="Sum">
                    <Amount value={sum} asset={asset ?? ''} flow />
                    {unreadable > 0 && ` (${rowsText(unreadable)} without a readable amount not summed)`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="small sub">{mayHaveMoved(filters, progress).join(' ')}</p>
    </>
  );
}
