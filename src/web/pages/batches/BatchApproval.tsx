import { useState } from 'react';
import { batchProgress } from '#src/shared/batches/batchWords.ts';
import { type ReviewedPayment, confirmationKey } from '#src/shared/batches/unusual.ts';
import { type BatchReviewed, lineKey } from '#src/shared/contract/batchContract.ts';
import { approvalWords, POLICY_CHANGED } from '#src/shared/operations/approvalWords.ts';
import { missingApprovals } from '#src/shared/operations/stateMark.ts';
import { counted, numberWords, revealHidden } from '#src/shared/text.ts';
import { type BatchDecisionResult, useBatchDecision } from '#src/web/api/batchApproval.ts';
import type { ReceivedBatch } from '#src/web/api/batches.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { CommandButton } from '#src/web/list/CommandButton.tsx';
import { SignInAgain } from '#src/web/list/SignInAgain.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { CONFIRM_FIRST } from '#src/web/send/SecondSend.tsx';
import { Expiry } from '#src/web/resources/Expiry.tsx';
import { PayBy } from '#src/web/resources/PayBy.tsx';
import { PaymentTotalsTable } from '#src/web/send/PaymentTotals.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { Field, inputClass } from '#src/web/ui/Field.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { useShowMore } from '#src/web/ui/useShowMore.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { RepeatedNotice } from './RepeatedNotice.tsx';
import { ShortNotice } from './ShortNotice.tsx';
import { ComparisonGaps, UnusualLines } from './UnusualLines.tsx';
import { type BatchUnusual, useBatchUnusual } from './useBatchUnusual.ts';

type Decision = ReturnType<typeof useBatchDecision>;

/** How many more people must approve the waiting payments; 0 if no approval is needed. */
export function missingBatchApprovals({ approval }: Pick<ReceivedBatch, 'approval'>): number {
  return approval === null ? 0 : missingApprovals({ approval }, approval.approved.length);
}

/** For a batch that needs approvals: what is unusual, who approved it, until when, and one decision about all its payments. */
export function BatchApproval({ view }: { view: ReceivedBatch }) {
  const { batch, approval } = view;
  const { left } = batchProgress(batch);
  // Called here, so that its result is still shown after the decision has ended the batch.
  const decision = useBatchDecision(view);
  if (approval === null || approval.needs === 0) return null;
  const { approve, reject } = decision;
  const isRejectionNewer = reject.submittedAt > approve.submittedAt;
  const waits = left > 0 && (batch.state === 'waiting' || batch.state === 'paused');
  return (
    <section className="grid gap-4 border-b border-rule px-gutter py-4" aria-label="Approval">
      {waits ? (
        <WaitingApproval view={view} approval={approval} left={left} decision={decision} />
      ) : (
        <Facts>
          <ApprovedBy approval={approval} />
        </Facts>
      )}
      {isRejectionNewer ? (
        <DecisionProblems result={reject.data} outcome="rejected" />
      ) : (
        approve.data !== 'look-again' && <DecisionProblems result={approve.data} outcome="approved" />
      )}
    </section>
  );
}

type BatchApprovals = NonNullable<ReceivedBatch['approval']>;

function ApprovedBy({ approval: { approved } }: { approval: BatchApprovals }) {
  return (
    <Fact label="Approved by">
      {approved.length === 0
        ? 'Nobody yet'
        : approved.map(({ person, name, at }) => (
            <span key={person} className="block">
              <UntrustedText value={name} max={120} />, <Time unix={at} age />
            </span>
          ))}
    </Fact>
  );
}

/** Payments for which a decision couldn't be recorded. */
function DecisionProblems({
  result,
  outcome,
}: {
  result: BatchDecisionResult | null | undefined;
  outcome: 'approved' | 'rejected';
}) {
  if (!result || result.problems.length === 0) return null;
  const { recorded, problems } = result;
  const all = counted(recorded + problems.length, 'payment', 'payments');
  const title = recorded === 0 ? `Nothing was ${outcome}.` : `${numberWords(recorded)} of ${all} ${outcome}.`;
  return (
    <Notice tone="open" live title={title}>
      <LineProblems problems={problems} />
    </Notice>
  );
}

interface WaitingApprovalProps {
  view: ReceivedBatch;
  approval: BatchApprovals;
  left: number;
  decision: Decision;
}

function WaitingApproval({ view, approval, left, decision }: WaitingApprovalProps) {
  const { needs, expires_at: expiresAt, maker } = approval;
  const isMissing = missingBatchApprovals(view) > 0;
  const unusual = useBatchUnusual(view, isMissing);
  const { data: review } = unusual.query;
  return (
    <>
      {isMissing && <Unusual unusual={unusual} left={left} />}
      {isMissing && (
        <div className="grid gap-2">
          <h2>To approve</h2>
          <PaymentTotalsTable label="To approve" totals={unusual.totals} />
        </div>
      )}
      <Facts>
        <Fact label="Approval">{approvalWords({ needs, why: review?.approval?.why ?? [] })}</Fact>
        <ApprovedBy approval={approval} />
        <Fact label="Pay by">
          <PayBy id={view.batch.id} />
        </Fact>
        <Fact label="Expires">
          <Expiry at={expiresAt} clock={{ databaseNow: view.now, receivedMs: view.receivedMs }} />
        </Fact>
      </Facts>
      <Decide view={view} left={left} maker={maker} unusual={unusual} decision={decision} />
    </>
  );
}

function Unusual({ unusual: { query, list, found }, left }: { unusual: BatchUnusual; left: number }) {
  return (
    <div className="grid gap-4">
      {query.error !== null && (
        <div className="-mx-gutter">
          {query.data === undefined ? (
            <LoadError of={query} heading="Couldn’t find out what is unusual" />
          ) : (
            <StaleBar
              error={query.error}
              readAt={Math.floor(query.dataUpdatedAt / 1000)}
              onRetry={() => void query.refetch()}
            />
          )}
        </div>
      )}
      {found === null && query.error === null && <output className="sub">{LOOKING}</output>}
      {found !== null && <UnusualFound found={found} list={list} left={left} />}
    </div>
  );
}

type Found = NonNullable<BatchUnusual['found']>;

function UnusualFound({ found, list, left }: { found: Found; list: BatchUnusual['list']; left: number }) {
  const { review, payments, repeated } = found;
  const hasNoBatchFinding = review.barred.length === 0 && !review.policy_changed && repeated === null;
  return (
    <>
      {review.barred.length > 0 && <UnsendableLines barred={review.barred} />}
      {review.policy_changed && <Notice tone="open" title={POLICY_CHANGED} />}
      {repeated !== null && <RepeatedNotice repeated={repeated} total={left} />}
      {(payments.length > 0 || hasNoBatchFinding) && <UnusualLines payments={payments} />}
      <ComparisonGaps review={review} list={list} />
    </>
  );
}

const LOOKING = 'Looking for what is unusual…';

interface DecideProps {
  view: ReceivedBatch;
  left: number;
  maker: string;
  unusual: BatchUnusual;
  decision: Decision;
}

function Decide({ view, left, maker, unusual, decision: { approve, reject } }: DecideProps) {
  const { query, found, totals, loadCurrentFindings } = unusual;
  const { person } = useSession();
  const refusal = useRefusal('approve');
  // What exactly the person confirmed, because anything that is found later needs another confirmation.
  const [confirmedKeys, setConfirmedKeys] = useState<readonly string[]>([]);
  const [confirmedShort, setConfirmedShort] = useState('');
  const toConfirm = found === null ? [] : paymentsToConfirm(found).map(confirmationKey);
  const short = totals.flatMap(({ asset, isShort }) => (isShort ? asset : [])).join('\n');
  const payments = counted(left, 'payment', 'payments');
  const hasApproved = view.approval?.approved.some((one) => one.person === person?.id) ?? false;
  const isMissing = missingBatchApprovals(view) > 0;
  if (maker === person?.id)
    return isMissing && <p className="sub">You prepared it, so somebody else has to approve it.</p>;
  const mayApprove = isMissing && !hasApproved && refusal === undefined;
  const isAllConfirmed = (keys: readonly string[]): boolean => keys.every((key) => confirmedKeys.includes(key));
  const isConfirmed = isAllConfirmed(toConfirm);
  const isShortConfirmed = short === '' || confirmedShort === short;
  const whyNotYet = found === null ? (query.error ? 'Load what is unusual first.' : LOOKING) : undefined;
  const hasUnsendable = (found?.review.barred.length ?? 0) > 0;
  /** Null if something was found that the person hasn't confirmed. */
  const currentFindingIds = async (): Promise<string[] | null> => {
    const now = await loadCurrentFindings();
    if (now === null || now.review.barred.length > 0) return null;
    const isSamePolicy = now.review.policy_changed === found?.review.policy_changed;
    const isSeen = isSamePolicy && isAllConfirmed(paymentsToConfirm(now).map(confirmationKey));
    return isSeen ? seenIn(view.batch.id, now) : null;
  };
  return (
    <div className="grid gap-2">
      {mayApprove && toConfirm.length > 0 && (
        <ConfirmUnusual
          count={toConfirm.length}
          of={left}
          isConfirmed={isConfirmed}
          onConfirm={(isNow) => setConfirmedKeys(isNow ? toConfirm : [])}
        />
      )}
      {mayApprove && (
        <ShortNotice
          totals={totals}
          confirmation="The amounts are right. Approve them all the same."
          isConfirmed={isShortConfirmed}
          onConfirm={(isNow) => setConfirmedShort(isNow ? short : '')}
        />
      )}
      <div className="acts-row items-start">
        {isMissing && (
          <CommandButton
            variant="primary"
            mutation={approve}
            busy="Approving…"
            cancelled="Cancelled. Nothing was approved."
            disabledReason={
              refusal ??
              (hasApproved ? 'You have approved it. Somebody else has to as well.' : undefined) ??
              whyNotYet ??
              (hasUnsendable ? 'Exclude the payments that can’t be sent first.' : undefined) ??
              (isConfirmed && isShortConfirmed ? undefined : CONFIRM_FIRST)
            }
            onPress={() => approve.mutate(currentFindingIds)}
          >
            Approve {payments}
          </CommandButton>
        )}
        <RejectBatch left={left} reject={reject} disabledReason={refusal} isReasonShown={!isMissing} />
      </div>
      <SignInAgain error={approve.error} />
      <output className="small sub empty:hidden">
        {approve.data === 'look-again' &&
          'The findings above have changed. Nothing was approved. Check them, then approve again.'}
      </output>
      {isMissing && (
        <p className="small sub">
          One signature covers all payments below. Nothing is sent by it: an operator sends the batch then.
        </p>
      )}
    </div>
  );
}

function paymentsToConfirm({ payments, repeated }: Found): ReviewedPayment[] {
  return [...new Set([...payments, ...(repeated?.payments ?? [])])];
}

/** Payments of the batch that would be refused when they are sent, whoever approves them. */
function UnsendableLines({ barred }: Pick<BatchReviewed, 'barred'>) {
  return (
    <Notice tone="alarm" title={`${counted(barred.length, 'payment', 'payments')} can’t be sent.`}>
      <LineProblems problems={barred} />
    </Notice>
  );
}

function LineProblems({ problems }: { problems: BatchDecisionResult['problems'] }) {
  const { shown, more } = useShowMore(problems);
  return (
    <>
      <ul className="list-disc pl-5">
        {shown.map(({ line, message }) => (
          <li key={line}>
            Line {line}: <bdi>{revealHidden(message)}</bdi>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

interface ConfirmUnusualProps {
  count: number;
  of: number;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

function ConfirmUnusual({ count, of, isConfirmed, onConfirm }: ConfirmUnusualProps) {
  return (
    <Notice
      tone="open"
      live
      title={`${numberWords(count)} of ${counted(of, 'payment', 'payments')} ${count === 1 ? 'is' : 'are'} unusual.`}
    >
      <Check isChecked={isConfirmed} onChange={onConfirm}>
        I have looked at {count === 1 ? 'it' : 'each of them'} above. Approve all the same.
      </Check>
    </Notice>
  );
}

/** Findings that the signature covers besides the payments: about the batch, and one entry for each unusual payment. */
function seenIn(batch: string, found: Found): string[] {
  const ids = paymentsToConfirm(found).map(({ line, unusual }) =>
    [lineKey(batch, line), ...new Set(unusual.map(({ kind }) => kind))].join(' '),
  );
  return [...(found.review.policy_changed ? ['policy-changed'] : []), ...ids];
}

interface RejectBatchProps {
  left: number;
  reject: Decision['reject'];
  disabledReason: string | undefined;
  /** If false, the button before already shows the reason. */
  isReasonShown: boolean;
}

function RejectBatch({ left, reject, disabledReason, isReasonShown }: RejectBatchProps) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const close = (): void => setOpen(false);
  const payments = counted(left, 'payment', 'payments');
  return (
    <>
      <Button
        aria-haspopup="dialog"
        disabledReason={disabledReason}
        reasonHidden={!isReasonShown}
        onClick={() => setOpen(true)}
      >
        Reject…
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={`Reject ${payments}`}
        actions={
          <>
            <CommandButton
              variant="danger"
              mutation={reject}
              busy="Rejecting…"
              disabledReason={reason.trim() === '' ? 'Say why first.' : undefined}
              onPress={() => reject.mutate(reason.trim(), { onSuccess: close })}
            >
              Reject {payments}
            </CommandButton>
            <Button onClick={close}>Cancel</Button>
          </>
        }
      >
        <p>They end as not sent, for good. They can be prepared again as a new batch.</p>
        <Field label="Reason" required>
          {(control) => (
            <textarea
              {...control}
              className={inputClass}
              rows={3}
              maxLength={2_000}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
      </Dialog>
    </>
  );
}
