import { TriangleAlert } from 'lucide-react';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { compareWithSent } from '#src/shared/operations/compare.ts';
import { COMPARED, type ComparedField, type WithdrawalFields } from '#src/shared/operations/kind.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { textOrJson } from '#src/shared/text.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Chip } from '#src/web/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { RawAnswer } from './Result.tsx';

/** The request beside the contradicting response, both unmodified. Fields that differ are marked. */
export function ContradictionTable({ record }: { record: Operation }) {
  const { contradiction } = record;
  const sent = readWithdrawalBody(record.body);
  if (!contradiction || !sent) return null;
  const parsed = parseJson(contradiction.text);
  const came: Record<string, unknown> = isObject(parsed) ? parsed : {};
  const { differing, equal } = compareWithSent(sent, came);
  const belongsToEarlier = equal.length === COMPARED.length;
  return (
    <section aria-labelledby="compare" className="compare border-b border-rule pt-4 pb-5">
      <h2 id="compare" className="px-gutter pb-1">
        Compare both
      </h2>
      <p className="in-pad sub small pb-3">
        {contradiction.by === 'answer' ? 'It came as the response to the POST' : 'It came when the ID was looked up'},
        named <UntrustedText mono value={contradiction.id} max={80} />, request ID{' '}
        <UntrustedText mono value={contradiction.requestId ?? 'none'} max={80} />.
        {belongsToEarlier && ' Every field is equal, but that ID belongs to an earlier payment.'}
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
      <div className="in-pad pt-3">
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
  return field === 'amount' ? <Amount value={value} compared flow /> : <UntrustedText value={textOrJson(value)} />;
}
