import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { RawText } from '#src/ui/RawText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { Time } from '#src/ui/Time.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { AttemptsTable } from './Attempts.tsx';
import { answerWords } from '#src/operations/attemptWords.ts';
import { KIND_WORDS, aboutOf } from '#src/operations/kindWords.ts';
import { StateChip } from '#src/ui/StateChip.tsx';
import { shortChipOf } from '#src/operations/stateMark.ts';

interface OperationsTableProps {
  rows: readonly OperationRecord[];
  /** Recorded under another key of this account. */
  checkOnly: ReadonlySet<string>;
}

/** One row for each operation, and below it, unfolded, every attempt. */
export function OperationsTable({ rows, checkOnly }: OperationsTableProps) {
  const zone = useZone() === 'utc' ? 'UTC' : 'local';
  const width = integerWidth(rows.map((record) => aboutOf(record).amount)).css;
  return (
    <table className="grid-table operations" aria-label="Operations" style={{ '--int': width }}>
      <thead>
        <tr>
          <th scope="col">
            Recorded <span className="font-normal">{zone}</span>
          </th>
          <th scope="col">State</th>
          <th scope="col">Kind</th>
          <th scope="col">For</th>
          <th scope="col">Attempts, last answer</th>
          <th scope="col" className="cash">
            <span>Amount</span>
          </th>
        </tr>
      </thead>
      {rows.map((record) => (
        <Row key={record.id} record={record} checkOnly={checkOnly.has(record.id)} />
      ))}
    </table>
  );
}

function Row({ record, checkOnly }: { record: OperationRecord; checkOnly: boolean }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { amount, asset, place } = aboutOf(record);
  const { length } = record.attempts;
  const last = record.attempts.at(-1);
  return (
    <tbody>
      <tr>
        <td className="o-time">
          <Link to={paths.operation(record.id)}>
            <Time unix={record.firstSentAt} />
          </Link>
        </td>
        <td className="o-state">
          <StateChip mark={shortChipOf(record)} big={false} />
        </td>
        <td className="o-kind">
          {KIND_WORDS[record.kind].one}
          {checkOnly && <span className="dim small block">another API key, check only</span>}
        </td>
        <td className="o-for">{place !== null && <Place record={record} place={place} />}</td>
        <td className="o-attempts">
          {last === undefined ? (
            <span className="dim">none</span>
          ) : (
            <>
              <button
                type="button"
                className="unfold"
                aria-expanded={open}
                aria-controls={open ? id : undefined}
                onClick={() => setOpen(!open)}
              >
                {open ? (
                  <ChevronDown className="icon-s" aria-hidden />
                ) : (
                  <ChevronRight className="icon-s" aria-hidden />
                )}
                {length === 1 ? '1 attempt' : `${length} attempts`}
              </button>
              <span className="last-answer">
                <RawText value={answerWords(record, last)} max={120} />
              </span>
            </>
          )}
        </td>
        <td className="cash">{amount !== null && <Amount value={amount} asset={asset ?? undefined} />}</td>
      </tr>
      {open && (
        <tr className="unfolded" id={id}>
          <td colSpan={6}>
            <AttemptsTable record={record} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Place({ record, place }: { record: OperationRecord; place: string }) {
  return record.kind === 'deposit-address' ? <RawText value={place} max={40} /> : <ShortId value={place} />;
}
