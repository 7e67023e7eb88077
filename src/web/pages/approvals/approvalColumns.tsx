import { Link } from 'react-router';
import { authorName } from '#src/shared/author.ts';
import type { Unusual } from '#src/shared/contract/approvalsContract.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { batchProgress } from '#src/shared/batches/batchWords.ts';
import { wasApproved } from '#src/shared/operations/approvalWords.ts';
import { declinedOf } from '#src/shared/operations/declined.ts';
import { hasLookAlike, isPaidOutside } from '#src/shared/operations/neededFrom.ts';
import { amountText, KIND, titleOf } from '#src/shared/operations/kinds.ts';
import { type Operation, recordedAt } from '#src/shared/operations/record.ts';
import { isBeingSent, missingApprovals, shortStateMarkOf } from '#src/shared/operations/stateMark.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { capital, listInWords, numberWords } from '#src/shared/text.ts';
import type { ReceivedApproval, WaitingBatch } from '#src/web/api/approvals.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { BatchLink, BatchTotals } from '#src/web/resources/batches.tsx';
import { Expiry } from '#src/web/resources/Expiry.tsx';
import { PayByCell } from '#src/web/resources/PayBy.tsx';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

/** "12 USDT to Acme Hosting" */
export function usePaymentTitle(): (operation: Operation) => string {
  const hidden = useAmountsHidden();
  const nameOf = usePaymentNames();
  return (operation) => {
    const sent = withdrawalFieldsOf(operation);
    const about = KIND[operation.kind].aboutOf(operation);
    return sent
      ? `${amountText(about, hidden)} ${nameOf({ kind: 'withdrawal', id: '', ...sent })}`
      : titleOf(operation, hidden);
  };
}

function PaymentLink({ operation }: { operation: Operation }) {
  return (
    <Link to={paths.operation(operation.key)}>
      <bdi translate="no">{usePaymentTitle()(operation)}</bdi>
    </Link>
  );
}

export function approvalAmount(row: ReceivedApproval | OperationView): string | null {
  const { operation } = 'view' in row ? row.view : row;
  return KIND[operation.kind].aboutOf(operation).amount;
}

const PAY_BY = { name: 'Pay by', className: 'min-w-28 whitespace-normal' };
const PAYMENT_CELL = 'min-w-48 whitespace-normal wrap-anywhere';

/** `isOthers`: a column with the missing approvers replaces that of what is unusual. `hasPayBy`: some have a pay-by date. */
export function waitingColumns(isOthers: boolean, hasPayBy: boolean): DataColumn<ReceivedApproval>[] {
  return [
    {
      name: 'Payment',
      isHead: true,
      className: PAYMENT_CELL,
      cell: ({ view }) => <PaymentLink operation={view.operation} />,
    },
    {
      name: 'Needs approval',
      className: 'min-w-40 whitespace-normal',
      cell: ({ why }) => <span className="sub">{capital(why.join(', '))}</span>,
    },
    isOthers
      ? { name: 'Waiting for', className: 'whitespace-normal', cell: (approval) => <WaitsFor approval={approval} /> }
      : { name: 'Unusual', cell: (approval) => <UnusualChip {...approval} /> },
    {
      name: 'Prepared by',
      className: 'whitespace-normal',
      cell: ({ maker, view: { operation } }) => (
        <>
          <UntrustedText value={maker.name} max={120} />
          <span className="small sub block">
            <Time unix={recordedAt(operation).service} age />
          </span>
        </>
      ),
    },
    {
      name: 'Approvals',
      cell: ({ view: { operation, approved } }) => `${approved.length} of ${operation.approval?.needs ?? 0}`,
    },
    ...(hasPayBy ? [{ ...PAY_BY, cell: ({ view }: ReceivedApproval) => <PayByCell id={view.operation.key} /> }] : []),
    { name: 'Expires', cell: ({ expires_at: at, clock }) => <Expiry at={at} clock={clock} short /> },
  ];
}

function WaitsFor({ approval: { view, approvers, unusual } }: { approval: ReceivedApproval }) {
  if (missingApprovals(view.operation, view.approved.length) === 0) {
    if (isPaidOutside(unusual)) return <>An approver, to review it again</>;
    return hasLookAlike(unusual) ? (
      <>An operator to send it, or an approver to review it again</>
    ) : (
      <>An operator, to send it</>
    );
  }
  if (approvers.length === 0) return <span className="text-open">Nobody can approve it now</span>;
  return <UntrustedText value={listInWords(approvers.map(({ name }) => name))} max={160} />;
}

const UNUSUAL: Record<Unusual['kind'], string> = {
  'first-payment': 'First payment',
  unresolved: 'Another unresolved',
  'look-alike': 'Looks like another',
  'second-payment': 'Second payment',
  'rejected-before': 'Rejected before',
  'policy-changed': 'Rules changed',
  'paid-outside': 'Paid outside',
  'recipient-changed': 'Recipient changed',
};

function UnusualChip({ unusual, barred }: Pick<ReceivedApproval, 'unusual' | 'barred'>) {
  if (barred !== null)
    return (
      <span data-tip={barred}>
        <StateChip mark={{ tone: 'alarm', icon: 'cross', chip: 'Can’t be sent' }} big={false} />
      </span>
    );
  const [first] = unusual;
  if (first === undefined) return <span className="dim">Nothing</span>;
  const chip = unusual.length === 1 ? UNUSUAL[first.kind] : `${unusual.length} things`;
  return (
    <span data-tip={unusual.map(({ text }) => text).join(' ')}>
      <StateChip mark={{ tone: 'open', icon: 'question', chip }} big={false} />
    </span>
  );
}

interface Selection {
  selectable: readonly ReceivedApproval[];
  chosen: ReadonlySet<string>;
  toggle: (keys: readonly string[], isChosen: boolean) => void;
  titleOf: (approval: ReceivedApproval) => string;
}

export function selectColumn({ selectable, chosen, toggle, titleOf }: Selection): DataColumn<ReceivedApproval> {
  const keys = selectable.map(({ view }) => view.operation.key);
  const areAll = keys.every((key) => chosen.has(key));
  return {
    name: 'Select',
    head: (
      <Check isChecked={areAll} onChange={() => toggle(keys, !areAll)}>
        <span className="vh">Select all without anything unusual</span>
      </Check>
    ),
    cell: (approval) => {
      const { key } = approval.view.operation;
      if (!selectable.includes(approval)) return null;
      return (
        <Check isChecked={chosen.has(key)} onChange={(isChecked) => toggle([key], isChecked)}>
          <span className="vh">Select {titleOf(approval)}</span>
        </Check>
      );
    },
  };
}

export const DECIDED_COLUMNS: DataColumn<OperationView>[] = [
  {
    name: 'Payment',
    isHead: true,
    className: PAYMENT_CELL,
    cell: ({ operation }) => <PaymentLink operation={operation} />,
  },
  {
    name: 'Status',
    className: 'whitespace-normal',
    cell: (view) => (
      <StateChip
        mark={shortStateMarkOf(view.operation, { beingSent: isBeingSent(view), approvals: view.approved.length })}
        big={false}
      />
    ),
  },
  {
    name: 'Decision',
    className: 'min-w-48 whitespace-normal wrap-anywhere',
    cell: (view) => <DecisionOf view={view} />,
  },
  {
    name: 'Prepared by',
    cell: ({ operation }) => operation.who !== null && <UntrustedText value={authorName(operation)} max={140} />,
  },
  { name: 'Time', cell: (view) => <Time unix={decidedAt(view)} /> },
];

export const batchColumns = (hasPayBy: boolean): DataColumn<WaitingBatch>[] => [
  { name: 'Batch', isHead: true, className: PAYMENT_CELL, cell: ({ batch }) => <BatchAndLeft batch={batch} /> },
  {
    name: 'Prepared by',
    className: 'whitespace-normal',
    cell: ({ batch }) => (
      <>
        {batch.who !== null && <UntrustedText value={authorName(batch)} max={140} />}
        <span className="small sub block">
          <Time unix={Math.floor(batch.at / 1_000)} age />
        </span>
      </>
    ),
  },
  {
    name: 'Approvals',
    cell: ({ approval }) => {
      const given = approval.approved.length;
      return `${given} of ${approval.needs}${missingApprovals({ approval }, given) === 0 ? ', ready to send' : ''}`;
    },
  },
  ...(hasPayBy ? [{ ...PAY_BY, cell: ({ batch }: WaitingBatch) => <PayByCell id={batch.id} /> }] : []),
  { name: 'Expires', cell: ({ approval, clock }) => <Expiry at={approval.expires_at} clock={clock} short /> },
  { name: 'Total', className: 'cash', cell: ({ batch }) => <BatchTotals batch={batch} /> },
];

/** Says how many payments are left, because the total is that of the whole batch. */
function BatchAndLeft({ batch }: Pick<WaitingBatch, 'batch'>) {
  const { left, lines } = batchProgress(batch);
  return (
    <>
      <BatchLink batch={batch} />
      {left < lines && <span className="small sub block font-normal">{numberWords(left)} left to send</span>}
    </>
  );
}

function DecisionOf({ view: { operation, approved } }: { view: OperationView }) {
  const declined = declinedOf(operation);
  if (declined === null && !wasApproved(operation, approved.length)) return <>Not approved</>;
  if (declined === null)
    return <>Approved by {<UntrustedText value={listInWords(approved.map(({ name }) => name))} max={200} />}</>;
  return (
    <>
      <UntrustedText value={declined.how + declined.by} max={120} />
      {declined.words !== '' && (
        <span className="small sub block">
          “<UntrustedText value={declined.words} max={200} />”
        </span>
      )}
    </>
  );
}

/** Unix seconds. */
function decidedAt({ operation, approved }: OperationView): number {
  const { ending, firstSent } = operation;
  if (ending && declinedOf(operation) !== null) return Math.floor(ending.at / 1000);
  return approved.at(-1)?.at ?? firstSent.service;
}
