import type { AmountSign, BatchFault, CommaMeaning, CommaSample } from '#src/shared/batches/batchFile.ts';
import { counted } from '#src/shared/text.ts';
import { BatchError } from '#src/web/api/batches.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useShowMore } from '#src/web/ui/useShowMore.tsx';
import type { NewBatch } from './useNewBatch.ts';

const headingClass = 'text-lead font-semibold';

const FAULT_COLUMNS: DataColumn<BatchFault>[] = [
  { name: 'Line', cell: ({ line }) => (line === null ? <span className="dim">File</span> : line), isHead: true },
  {
    name: 'Problem',
    className: 'w-full whitespace-normal wrap-anywhere py-2',
    cell: ({ column, value, message }) => (
      <>
        {message}
        {column !== null && (
          <span className="small sub block">
            {column}: {value === '' || value === null ? 'empty' : <UntrustedText mono value={value} max={120} />}
          </span>
        )}
      </>
    ),
  },
];

type CheckedBatch = Pick<NewBatch, 'source' | 'read' | 'error' | 'sending'>;

export function FileProblems({ batch }: { batch: CheckedBatch }) {
  const faults = faultsIn(batch);
  return faults && <BatchFaults faults={faults} name={batch.source?.name ?? null} />;
}

/** The errors that this page found in the file, or the server, whose rules are stricter; undefined if there are none. */
export function faultsIn({ read, error, sending }: CheckedBatch): readonly BatchFault[] | undefined {
  if (read?.kind === 'faults') return read.faults;
  return serverFaults(error) ?? (sending.at === 'refused' ? serverFaults(sending.error) : undefined);
}

function serverFaults(error: Error | null): BatchFault[] | undefined {
  const faults = error instanceof BatchError ? error.extras.faults : undefined;
  return faults?.map(({ line, message }) => ({ line, message, column: null, value: null }));
}

/** All errors of a file, by line. `name`: of the file; null for pasted rows. */
function BatchFaults({ faults, name }: { faults: readonly BatchFault[]; name: string | null }) {
  const { shown, more } = useShowMore(faults);
  return (
    <section className="grid gap-3" aria-label="Problems">
      <h2 className={headingClass} ref={focusOnMount} tabIndex={-1}>
        {counted(faults.length, 'problem', 'problems')} in{' '}
        {name === null ? 'the pasted rows' : <UntrustedText value={name} max={80} />}
      </h2>
      <p>
        Nothing was recorded or sent. Fix {faults.length === 1 ? 'it' : 'them'}
        {name === null ? ' in the rows, and review them again.' : ' in the file, and choose it again.'}
      </p>
      <div className="-mx-gutter">
        <DataTable
          label="Problems by line"
          className="grid-table"
          rows={shown}
          columns={FAULT_COLUMNS}
          keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
        />
      </div>
      {more}
    </section>
  );
}

const MEANINGS: Readonly<Record<AmountSign, Record<CommaMeaning, string>>> = {
  comma: { decimals: 'Decimal comma', thousands: 'Comma between thousands' },
  point: { decimals: 'Decimal point', thousands: 'Point between thousands' },
};

function sampleColumns({ decimals: asDecimals, thousands: asThousands }: Record<CommaMeaning, string>) {
  return [
    { name: 'Line', cell: ({ line }) => line },
    { name: 'In the file', isHead: true, cell: ({ text }) => <UntrustedText mono value={text} max={60} /> },
    { name: asDecimals, className: 'num', cell: ({ decimals }) => <Reading value={decimals} /> },
    { name: asThousands, className: 'num', cell: ({ thousands }) => <Reading value={thousands} /> },
  ] satisfies DataColumn<CommaSample>[];
}

function Reading({ value }: { value: string | null }) {
  return value === null ? (
    <span className="dim">not an amount</span>
  ) : (
    <span className="mono" translate="no">
      {value}
    </span>
  );
}

/** Asks whether commas in amounts, or points that may all be thousands separators, are decimal: guessing would be unsafe. */
export function CommaQuestion({
  sign,
  samples,
  onAnswer,
}: {
  sign: AmountSign;
  samples: readonly CommaSample[];
  onAnswer: (comma: CommaMeaning) => void;
}) {
  const meanings = MEANINGS[sign];
  return (
    <section className="grid gap-3" aria-label={sign === 'comma' ? 'Commas in amounts' : 'Points in amounts'}>
      <h2 className={headingClass} ref={focusOnMount} tabIndex={-1}>
        {meanings.decimals} in this file?
      </h2>
      <p>
        Its amounts have {sign}s, which can be read two ways. The first {samples.length === 1 ? 'one' : samples.length}:
      </p>
      <div className="-mx-gutter">
        <DataTable
          label="Amounts read both ways"
          className="grid-table labelled fitted"
          rows={samples}
          columns={sampleColumns(meanings)}
          keyOf={({ line }) => String(line)}
        />
      </div>
      <div className="acts-row">
        <Button onClick={() => onAnswer('decimals')}>{meanings.decimals}</Button>
        <Button onClick={() => onAnswer('thousands')}>{meanings.thousands}</Button>
      </div>
    </section>
  );
}
