import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { OperationView } from '#src/api/gatewayContract.ts';
import { useWithdrawalStatuses } from '#src/api/withdrawalStatuses.ts';
import { answerWords } from '#src/lib/operations/attemptWords.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { isBeingSent, shortChipOf } from '#src/lib/operations/stateMark.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { paths } from '#src/lib/paths.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time, useZone } from '#src/ui/Time.tsx';
import { StateChip } from '#src/ui/Chip.tsx';
import { AttemptsTable } from './Attempts.tsx';
import { PlaceText } from './OperationSummary.tsx';

/** One row for each operation, and below it, unfolded, every attempt. */
export function OperationsTable({ rows }: { rows: readonly OperationView[] }) {
  const zone = useZone() === 'utc' ? 'UTC' : 'local';
  const statusOf = useWithdrawalStatuses(rows.map(({ operation }) => operation));
  const width = integerWidth(rows.map(({ operation }) => KIND[operation.kind].aboutOf(operation).amount)).css;
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
      {rows.map((view) => (
        <Row key={view.operation.key} view={view} payment={statusOf(view.operation)} />
      ))}
    </table>
  );
}

function Row({ view, payment }: { view: OperationView; payment: string | null | undefined }) {
  const { operation: record, checkOnly } = view;
  const [open, setOpen] = useState(false);
  const id = useId();
  const { amount, asset, place } = KIND[record.kind].aboutOf(record);
  const { length } = record.attempts;
  const last = record.attempts.at(-1);
  return (
    <tbody>
      <tr>
        <td className="o-time">
          <Link to={paths.operation(record.key)}>
            <Time unix={record.firstSent.service} />
          </Link>
          {record.who !== null && <span className="dim small block">{byWhom(record.who)}</span>}
        </td>
        <td className="o-state">
          <StateChip mark={shortChipOf(record, isBeingSent(view), payment)} big={false} />
        </td>
        <td className="o-kind">
          {KIND[record.kind].one}
          {checkOnly && <span className="dim small block">another API key, check only</span>}
        </td>
        <td className="o-for">{place !== null && <PlaceText kind={record.kind} place={place} max={40} />}</td>
        <td className="o-attempts">
          {last === undefined ? (
            <span className="dim">none</span>
          ) : (
            <>
              <button
                type="button"
                className="link unfold"
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
                <UntrustedText value={answerWords(record, last)} max={120} />
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
