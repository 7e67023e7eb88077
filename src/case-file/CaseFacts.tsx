import { knownStatus, statusMeaning } from '#src/lib/paymentStatus.ts';
import { isAmount } from '#src/lib/amount.ts';
import { formatFull, isoUtc, isPlausibleTime, zoneName } from '#src/lib/time.ts';
import { asText, visible } from '#src/lib/text.ts';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { Amount, useAmountsHidden } from '#src/ui/Amount.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { type CaseField, type CaseFile, fieldsOf } from './caseFile.ts';
import { RequestId } from './RequestId.tsx';
import { WholeText } from './WholeText.tsx';

/** What it is: every field in full under its own name, or why there is none. */
export function CaseFacts({ file }: { file: CaseFile }) {
  const { found, absence } = file;
  return (
    <section aria-label="Details">
      <h2>Details</h2>
      {absence && (
        <div className="grid max-w-measure gap-1">
          <p>{absence.words}</p>
          {absence.said !== null && (
            <p>
              The provider said: <WholeText text={absence.said} />
            </p>
          )}
          <p className="small sub">
            Checked {isoUtc(absence.at)}, request ID <RequestId id={absence.requestId} />.
          </p>
        </div>
      )}
      {!found && !absence && <p>It couldn’t be loaded.</p>}
      {found && (
        <Facts>
          {fieldsOf(file).map((field) => (
            <Fact key={field.name} label={visible(field.name.length > 80 ? `${field.name.slice(0, 80)}…` : field.name)}>
              <Value file={file} field={field} />
            </Fact>
          ))}
          {file.redacted && file.redacted.leftOut.length > 0 && (
            <Fact label="Left out">{file.redacted.leftOut.map(visible).join(', ')}</Fact>
          )}
          <Fact label="loaded">
            {formatFull(found.read.readAt, 'utc')}, request ID <RequestId id={found.read.requestId} />
          </Fact>
        </Facts>
      )}
    </section>
  );
}

function Value({ file, field: { kind, value } }: { file: CaseFile; field: CaseField }) {
  const hidden = useAmountsHidden();
  if (kind === 'amount') return <Amount value={value} asset={file.found?.row.asset ?? undefined} readBack />;
  if (value === undefined) return <span className="dim">not provided</span>;
  if (kind === 'time' && isPlausibleTime(value)) return <BothTimes unix={value} />;
  // What stands in a field that nobody knows may be an amount.
  if (hidden && kind === 'other' && (typeof value === 'object' || isAmount(asText(value)))) return '•••••';
  const text = asText(value);
  if (kind !== 'status') return <Mono text={text} />;
  return (
    <>
      {knownStatus(text) ? <StatusCell status={text} /> : <Mono text={text} />}
      <span className="small sub block">{statusMeaning(file.of, value === null ? null : text)}</span>
    </>
  );
}

function Mono({ text }: { text: string }) {
  return (
    <span className="mono">
      <WholeText text={text} />
    </span>
  );
}

function BothTimes({ unix }: { unix: number }) {
  return (
    <>
      {formatFull(unix, 'utc')}
      <span className="small sub block">
        {zoneName('local') !== 'UTC' && `${formatFull(unix, 'local')}; `}Unix {unix}
      </span>
    </>
  );
}
