import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Unusual } from '#src/shared/contract/approvalsContract.ts';
import { approvalWords, unconfirmedApprovalWords } from '#src/shared/operations/approvalWords.ts';
import { recordedAt } from '#src/shared/operations/record.ts';
import { missingApprovals, waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { paths } from '#src/shared/paths.ts';
import {
  type DecisionResult,
  type ReceivedApproval,
  useApproval,
  useApprove,
  useReject,
} from '#src/web/api/approvals.ts';
import type { ReceivedView } from '#src/web/api/operations/operations.ts';
import { useRecipientAt } from '#src/web/api/recipients.ts';
import { CommandFault } from '#src/web/list/CommandButton.tsx';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { useKnownAddresses } from '#src/web/list/useKnownAddresses.ts';
import { useRowsRead } from '#src/web/list/rows/loadedRows.ts';
import { useNote } from '#src/web/report/PaymentNote.tsx';
import { AvailableNowAndAfter, MoreThanAvailable, PaymentSentence, ReadBack } from '#src/web/send/PaymentReadBack.tsx';
import { RecipientNotes } from '#src/web/send/RecipientNotes.tsx';
import { type AssetBalance, isMoreThan, useAssetBalance } from '#src/web/send/useAssetBalance.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { GroupedAddress, UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Expiry } from '#src/web/resources/Expiry.tsx';
import { PayBy } from '#src/web/resources/PayBy.tsx';
import { ApprovalActions } from './ApprovalActions.tsx';
import { isApprovable } from './whyNotApprove.ts';

/** For a payment that others must approve: the facts for their decision, the decision, and its result. */
export function ApprovalPart({ view }: { view: ReceivedView }) {
  const { operation: record } = view;
  const approve = useApprove();
  const reject = useReject(record.key);
  const isOpen = waitsForApproval(record) || record.state === 'unconfirmed';
  const payment = withdrawalFieldsOf(record);
  return (
    // Stays when the card disappears, and takes the focus from it.
    <div tabIndex={-1} data-takes-focus>
      {isOpen && payment && <ApprovalCard view={view} payment={payment} approve={approve} reject={reject} />}
      <Outcome decision={approve.data?.[0]} done="Approved" />
      <Outcome decision={reject.data?.[0]} done="Rejected" />
      {!isOpen && approve.error && (
        <div className="px-gutter py-2">
          <CommandFault error={approve.error} />
        </div>
      )}
    </div>
  );
}

/** Why a decision changed nothing, or why an approved payment wasn't sent. Stays even when the payment's state changes. */
function Outcome({ decision, done }: { decision: DecisionResult | undefined; done: 'Approved' | 'Rejected' }) {
  if (decision === undefined || decision.problem === null) return null;
  const { recorded, problem } = decision;
  return (
    <div className="px-gutter py-2">
      <Notice tone="open" live title={recorded ? `${done}, but not sent.` : `Not ${done.toLowerCase()}.`}>
        {problem}
      </Notice>
    </div>
  );
}

interface ApprovalCardProps {
  view: ReceivedView;
  payment: WithdrawalFields;
  approve: ReturnType<typeof useApprove>;
  reject: ReturnType<typeof useReject>;
}

function ApprovalCard({ view, payment, approve, reject }: ApprovalCardProps) {
  const query = useApproval(view);
  const balance = useAssetBalance(payment.asset, true);
  const name = useRecipientAt(payment)?.name ?? null;
  const [isMoreConfirmed, setMoreConfirmed] = useState(false);
  const [confirmedOutside, setConfirmedOutside] = useState('');
  const { data: approval } = query;
  if (approval === undefined) {
    if (query.error)
      return (
        <ErrorNotice
          error={query.error}
          heading="Couldn’t load the approval"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      );
    return <output className="px-gutter py-4">Loading the approval…</output>;
  }
  const isMore = isMoreThan(payment.amount, balance.balance?.available);
  const waits = waitsForApproval(view.operation);
  const outside = paidOutsideIn(approval);
  return (
    <section className="pad border-b border-rule" aria-labelledby="approval">
      <div className="grid max-w-152 gap-4">
        <h2 id="approval" className={waits ? 'vh' : undefined}>
          Approval
        </h2>
        {!waits && view.stopped === undefined && (
          <p>{unconfirmedApprovalWords(view.operation, view.approved.length)}</p>
        )}
        {approval.barred !== null && (
          <Notice tone="alarm" title="It can’t be sent to this recipient.">
            {approval.barred}
          </Notice>
        )}
        <UnusualNotice unusual={approval.unusual}>
          {outside !== '' && (
            <div className="pt-3">
              <Check
                isChecked={confirmedOutside === outside}
                onChange={(isChecked) => setConfirmedOutside(isChecked ? outside : '')}
              >
                This isn’t a duplicate. Approve it all the same.
              </Check>
            </div>
          )}
        </UnusualNotice>
        <ListGap listed={approval.listed} />
        <div>
          <PaymentSentence verb="Send" payment={payment} name={name} />
          <dl>
            <Destination payment={payment} balance={balance} />
            <Earlier approval={approval} />
            <ReadBack label="Available">
              <AvailableNowAndAfter asset={payment.asset} amount={payment.amount} balance={balance} />
            </ReadBack>
            <Reference operationKey={view.operation.key} />
            <People view={view} approval={approval} />
          </dl>
        </div>
        {isMore && waits && (
          <MoreThanAvailable
            asset={payment.asset}
            available={balance.balance?.available}
            confirmation="The amount is right. Approve it all the same."
            isConfirmed={isMoreConfirmed}
            onConfirm={setMoreConfirmed}
          />
        )}
        <ApprovalActions
          view={view}
          approval={approval}
          approve={approve}
          reject={reject}
          isConfirmed={(!isMore || !waits || isMoreConfirmed) && (outside === '' || confirmedOutside === outside)}
        />
      </div>
    </section>
  );
}

/** Equal as long as a tick confirms the same withdrawals from outside this dashboard; empty without any. */
function paidOutsideIn({ unusual }: Pick<ReceivedApproval, 'unusual'>): string {
  return unusual.flatMap(({ id, kind }) => (kind === 'paid-outside' ? id : [])).join(' ');
}

/** Says what the payment could not be compared with. */
function ListGap({ listed }: Pick<ReceivedApproval, 'listed'>) {
  if (listed === 'unreadable')
    return (
      <p className="sub small">
        The provider’s list of withdrawals couldn’t be loaded, so this payment can’t be sent now: its recipient may have
        been paid outside this dashboard.
      </p>
    );
  if (listed === 'partly')
    return (
      <p className="sub small">
        Not all withdrawals that the provider lists could be compared, so payments to this recipient outside this
        dashboard may be missing here.
      </p>
    );
  if (listed !== 'not-offered') return null;
  return (
    <p className="sub small">
      The provider lists no withdrawals, so payments to this recipient outside this dashboard can’t be found.
    </p>
  );
}

/** The unusual facts, which an approver should read first. `children`: what the approver has to confirm about them. */
function UnusualNotice({ unusual, children }: { unusual: readonly Unusual[]; children: ReactNode }) {
  if (unusual.length === 0) return null;
  const title = unusual.length === 1 ? 'One thing is unusual.' : `${unusual.length} things are unusual.`;
  return (
    <Notice tone="open" title={title}>
      <ul className="grid gap-1 pt-1">
        {unusual.map(({ id, kind, text, operation, at }) => (
          <li key={id} className="border-l-3 border-open-rule pl-3">
            {text}
            {at !== null && (
              <>
                {' '}
                <Time unix={at} age />
              </>
            )}
            {operation !== null && (
              <>
                {' '}
                <Link to={paths.operation(operation)}>
                  Open it<span className="vh">: {text}</span>
                </Link>
              </>
            )}
            {kind === 'paid-outside' && (
              <>
                {' '}
                <Link to={paths.withdrawal(id)}>
                  Open it<span className="vh">: {text}</span>
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
      {children}
    </Notice>
  );
}

function Destination({ payment, balance }: { payment: WithdrawalFields; balance: AssetBalance }) {
  const { asset, address } = payment;
  const known = useKnownAddresses(useRowsRead());
  return (
    <ReadBack label="To">
      <span className="float-right">
        <CopyButton value={address} label="Copy address" />
      </span>
      <GroupedAddress value={address} />
      <RecipientNotes place={payment} known={known} assets={[{ asset }, ...balance.balances]} earlierShown />
    </ReadBack>
  );
}

/** The last payments to the same address. */
function Earlier({ approval: { earlier } }: { approval: ReceivedApproval }) {
  return (
    <ReadBack label="Earlier payments">
      {earlier.length === 0 ? (
        <span className="sub">None from here</span>
      ) : (
        <ul className="grid gap-1">
          {earlier.map(({ key, amount, asset, at }) => (
            <li key={key}>
              <Amount value={amount} asset={asset} flow />,{' '}
              <Link to={paths.operation(key)}>
                <Time unix={at} age />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </ReadBack>
  );
}

function Reference({ operationKey }: { operationKey: string }) {
  const reference = useNote({ kind: 'operation', id: operationKey }, null).item?.value.reference ?? '';
  if (reference === '') return null;
  return (
    <ReadBack label="Reference">
      <UntrustedText value={reference} max={200} />
    </ReadBack>
  );
}

/** Who prepared it, why others must approve it, who did, and who still can. */
function People({ view, approval }: { view: ReceivedView; approval: ReceivedApproval }) {
  const { operation: record, approved } = view;
  const { maker, why, approvers } = approval;
  const needs = record.approval?.needs ?? 0;
  const isMissing = missingApprovals(record, approved.length) > 0 && isApprovable(view);
  return (
    <>
      <ReadBack label="Prepared by">
        <UntrustedText value={maker.name} max={120} />, <Time unix={recordedAt(record).service} age />
      </ReadBack>
      <ReadBack label="Approval">{approvalWords({ needs, why })}</ReadBack>
      {approved.length > 0 && (
        <ReadBack label="Approved by">
          <ul>
            {approved.map(({ person, name, at }) => (
              <li key={person}>
                <UntrustedText value={name} max={120} />, <Time unix={at} age />
              </li>
            ))}
          </ul>
        </ReadBack>
      )}
      {isMissing && (
        <ReadBack label="Can approve it">
          {approvers.length > 0 ? (
            <UntrustedText value={approvers.map(({ name }) => name).join(', ')} max={400} />
          ) : (
            'Nobody now. An admin gives the role on the People page.'
          )}
        </ReadBack>
      )}
      {waitsForApproval(record) && (
        <>
          <ReadBack label="Pay by">
            <PayBy id={record.key} />
          </ReadBack>
          <ReadBack label="Expires">
            <Expiry at={approval.expires_at} clock={approval.clock} />
          </ReadBack>
        </>
      )}
    </>
  );
}
