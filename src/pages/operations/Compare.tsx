import { TriangleAlert } from 'lucide-react';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { asText } from '#src/lib/text.ts';
import { readWithdrawalBody, type WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { COMPARED, type ComparedField, compareWithSent } from '#src/lib/operations/compare.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Chip } from '#src/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { RawAnswer } from './Result.tsx';
import './compare.css';

/** What was sent beside what came under its key, as it came; the fields that differ are marked. */
export function Compare({ record }: { record: Operation }) {
  const { contradiction } = record;
  const sent = readWithdrawalBody(record.body);
  if (!contradiction || !sent) return null;
  const parsed = parseJson(contradiction.text);
  const came: Record<string, unknown> = isObject(parsed) ? parsed : {};
  const { differing, equal } = compareWithSent(sent, came);
  return (
    <section aria-labelledby="compare" className="compare">
      <h2 id="compare">Compare both</h2>
      <p className="in-pad sub small">
        {contradiction.by === 'answer' ? 'It came as the response to the POST' : 'It came when the ID was looked up'},
        named <UntrustedText mono value={contradiction.id} max={80} />, request ID{' '}
        <UntrustedText mono value={contradiction.requestId ?? 'none'} max={80} />.
      </p>
      <DataTable
        label="Sent and came"
        className="grid-table labelled op-table"
        rows={COMPARED.map((field) => ({
          field,
          sent,
          came,
          differs: differing.includes(field),
          equal: equal.includes(field),
        }))}
        columns={columns}
        keyOf={({ field }) => field}
        rowClass={({ differs }) => (differs ? 'differs' : undefined)}
      />
      <div className="in-pad compare-raw">
        <RawAnswer text={contradiction.text} />
      </div>
    </section>
  );
}

interface Row {
  field: ComparedField;
  sent: WithdrawalFields;
  came: Record<string, unknown>;
  differs: boolean;
  equal: boolean;
}

const columns: DataColumn<Row>[] = [
  { name: 'Field', isHead: true, cell: ({ field }) => field },
  { name: 'Sent', className: 'answer mono', cell: ({ field, sent }) => <Value field={field} value={sent[field]} /> },
  {
    name: 'Came',
    className: 'answer mono',
    cell: ({ field, came }) =>
      Object.hasOwn(came, field) ? <Value field={field} value={came[field]} /> : 'not provided',
  },
  {
    name: 'Result',
    cell: ({ differs, equal }) =>
      differs ? (
        <Chip tone="alarm" icon={<TriangleAlert aria-hidden />}>
          differs
        </Chip>
      ) : equal ? (
        'equal'
      ) : (
        <span className="dim">not compared</span>
      ),
  },
];

function Value({ field, value }: { field: ComparedField; value: unknown }) {
  return field === 'amount' ? <Amount value={value} compared flow /> : <UntrustedText value={asText(value)} />;
}
