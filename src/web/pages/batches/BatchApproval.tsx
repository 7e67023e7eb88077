import { useState } from 'react';
import { batchProgress } from '#src/shared/batches/batchWords.ts';
import { approvalWords } from '#src/shared/operations/approvalWords.ts';
import { missingApprovals } from '#src/shared/operations/stateMark.ts';
import { counted } from '#src/shared/text.ts';
import { useBatchDecision } from '#src/web/api/batchApproval.ts';
import type { ReceivedBatch } from '#src/web/api/batches.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { CommandButton } from '#src/web/list/CommandButton.tsx';
import { PayBy } from '#src/web/resources/PayBy.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { Field, inputClass } from '#src/web/ui/Field.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

type Decision = ReturnType<typeof useBatchDecision>;

/** How many more people must approve the payments that wait; 0 where nobody has to. */
export function missingOf({ approval }: Pick<ReceivedBatch, 'approval'>): number {
  return approval === null ? 0 : missingApprovals({ approval }, approval.approved.length);
}

/** Of a batch that needs approvals: who gave them, until when it can get them, and one decision about all its payments. */
export function BatchApproval({ view }: { view: ReceivedBatch }) {
  const { batch, approval } = view;
  const { left } = batchProgress(batch);
  if (approval === null || approval.needs === 0) return null;
  const waits = left > 0 && (batch.state === 'waiting' || batch.state === 'paused');
  return (
    <section className="grid gap-4 border-b border-rule px-gutter py-4" aria-label="Approval">
      <Facts>
        {waits && <Fact label="Approval">{approvalWords({ needs: approval.needs, why: [] })}</Fact>}
        <Fact label="Approved by">
          {approval.approved.length === 0
            ? 'Nobody yet'
            : approval.approved.map(({ person, name, at }) => (
                <span key={person} className="block">
                  <UntrustedText value={name} max={120} />, <Time unix={at} age />
                </span>
              ))}
        </Fact>
        {waits && (
          <Fact label="Pay by">
            <PayBy id={batch.id} />
          </Fact>
        )}
        {waits && (
          <Fact label="Expires">
            <Time unix={Math.floor(approval.expires_at / 1000)} />
          </Fact>
        )}
      </Facts>
      {waits && <Decide view={view} left={left} maker={approval.maker} />}
    </section>
  );
}

function Decide({ view, left, maker }: { view: ReceivedBatch; left: number; maker: string }) {
  const { person } = useSession();
  const refusal = useRefusal('approve');
  const decision = useBatchDecision(view);
  const { approve } = decision;
  const payments = counted(left, 'payment', 'payments');
  const hasApproved = view.approval?.approved.some((one) => one.person === person?.id) ?? false;
  if (maker === person?.id) return <p className="sub">You prepared it, so somebody else has to approve it.</p>;
  const isMissing = missingOf(view) > 0;
  return (
    <div className="grid gap-2">
      <div className="acts-row items-start">
        {isMissing && (
          <CommandButton
            variant="primary"
            mutation={approve}
            busy="Approving…"
            disabledReason={
              refusal ?? (hasApproved ? 'You have approved it. Somebody else has to as well.' : undefined)
            }
            onPress={() => approve.mutate()}
          >
            Approve {payments}
          </CommandButton>
        )}
        <RejectBatch left={left} reject={decision.reject} disabledReason={refusal} isReasonShown={!isMissing} />
      </div>
      <output className="small sub empty:hidden">{approve.data === false && 'Cancelled. Nothing was approved.'}</output>
      {isMissing && (
        <p className="small sub">
          One signature covers all payments below. Nothing is sent by it: an operator sends the batch then.
        </p>
      )}
    </div>
  );
}

interface RejectBatchProps {
  left: number;
  reject: Decision['reject'];
  disabledReason: string | undefined;
  /** Otherwise the reason stands at the button before. */
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
