import { useState } from 'react';
import { missingApprovals, waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { hasLookAlike, isPaidOutside } from '#src/shared/operations/neededFrom.ts';
import { type ReceivedApproval, type useApprove, type useReject } from '#src/web/api/approvals.ts';
import { actionErrorMessage, type ReceivedView } from '#src/web/api/operations/operations.ts';
import { useOperationCommands } from '#src/web/api/operations/useOperations.ts';
import { passkeysUnsupported } from '#src/web/api/passkeys.ts';
import { useCan, useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { signsByPasskey } from '#src/web/api/signing.ts';
import { CommandFault } from '#src/web/list/CommandButton.tsx';
import { SignInAgain } from '#src/web/list/SignInAgain.tsx';
import { CONFIRM_FIRST } from '#src/web/send/SecondSend.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { APPROVE_AGAIN, approveLabel, isApprovable, whyNotApprove } from './whyNotApprove.ts';
import { RejectPayment } from './EndDialogs.tsx';

interface ApprovalActionsProps {
  view: ReceivedView;
  approval: ReceivedApproval;
  approve: ReturnType<typeof useApprove>;
  reject: ReturnType<typeof useReject>;
  /** False until a person has confirmed everything that must be confirmed. */
  isConfirmed: boolean;
}

/** Approve and Reject for approvers, Withdraw for the person who prepared it, Send if it is approved but wasn't sent. */
export function ApprovalActions({ view, approval, approve, reject, isConfirmed }: ApprovalActionsProps) {
  const { operation: record } = view;
  const session = useSession();
  const isMaker = session.person?.id === approval.maker.person;
  const waits = waitsForApproval(record);
  const isMissing = missingApprovals(record, view.approved.length) > 0;
  // Its approvals may be older than these payments: then it is sent only once an approver has seen them, too.
  const isToBeSeen = isPaidOutside(approval.unusual) || hasLookAlike(approval.unusual);
  const error = approve.isPending ? null : approve.error;
  const wasCancelled = approve.data === null && !approve.isPending;
  const isPasskey = signsByPasskey(session);
  const canApprove = useCan('approve');
  return (
    <div className="grid gap-2">
      <div className="acts-row" role="group" aria-label="Decision">
        {!isMaker && (isMissing || !waits || isToBeSeen) && isApprovable(view) && (
          <Approve view={view} approval={approval} approve={approve} isConfirmed={isConfirmed} />
        )}
        {waits && !isMissing && <SendApproved view={view} />}
        {waits && !isMaker && <Reject reject={reject} isApproving={approve.isPending} />}
        {waits && isMaker && <Withdraw view={view} />}
      </div>
      {error && <CommandFault error={error} />}
      <SignInAgain error={error} />
      <output className="small sub empty:hidden">{wasCancelled && 'Cancelled. Nothing was approved.'}</output>
      {waits && isMissing && (isMaker || canApprove) && (
        <p className="small sub">
          {isMaker
            ? 'Somebody else has to approve it. You can withdraw it until then.'
            : `${isPasskey ? 'You sign exactly this payment with your passkey. ' : ''}A rejection is final.`}
        </p>
      )}
    </div>
  );
}

type ApproveProps = Pick<ApprovalActionsProps, 'view' | 'approval' | 'approve' | 'isConfirmed'>;

function Approve({ view, approval, approve, isConfirmed }: ApproveProps) {
  const session = useSession();
  const refusal = useRefusal('approve');
  const label = approveLabel(view, session.person?.id ?? null);
  const why =
    whyNotApprove(approval, { person: session.person?.id ?? null, refusal }) ??
    (signsByPasskey(session) ? passkeysUnsupported() : undefined) ??
    (isConfirmed ? undefined : CONFIRM_FIRST);
  const wait = approve.isPending ? (signsByPasskey(session) ? 'Waiting for your passkey…' : 'Approving…') : undefined;
  return (
    <Button
      variant={label === APPROVE_AGAIN ? 'plain' : 'primary'}
      disabledReason={wait ?? why}
      aria-busy={approve.isPending}
      onClick={({ detail }) => {
        // The second click of a double click elsewhere may land on this button.
        if (detail < 2) approve.mutate([approval]);
      }}
    >
      {label}
    </Button>
  );
}

function Reject({ reject, isApproving }: { reject: ReturnType<typeof useReject>; isApproving: boolean }) {
  const refusal = useRefusal('approve');
  // The reason is already shown beside Approve.
  return (
    <RejectPayment
      reject={reject}
      disabledReason={refusal ?? (isApproving ? 'Approving…' : undefined)}
      reasonHidden={refusal !== undefined || isApproving}
    />
  );
}

function Withdraw({ view }: { view: ReceivedView }) {
  const { discard } = useOperationCommands(view);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <>
      <Button
        disabledReason={view.disabled['discard'] ?? (discard.isPending ? 'Withdrawing…' : undefined)}
        onClick={() =>
          discard.mutate(undefined, {
            onSuccess: () => setMessage(null),
            onError: (error) => setMessage(actionErrorMessage(error)),
          })
        }
      >
        Withdraw
      </Button>
      <output className={message === null ? 'vh' : 'msg msg-alarm'}>{message}</output>
    </>
  );
}

/** For a payment that has its approvals, but couldn't be sent at the last one. */
function SendApproved({ view }: { view: ReceivedView }) {
  const { send } = useOperationCommands(view);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <>
      <Button
        variant="primary"
        disabledReason={view.disabled['send'] ?? (send.isPending ? 'Sending…' : undefined)}
        onClick={() =>
          send.mutate(undefined, {
            onSuccess: () => setMessage(null),
            onError: (error) => setMessage(actionErrorMessage(error)),
          })
        }
      >
        {KIND[view.operation.kind].send}
      </Button>
      <output className={message === null ? 'vh' : 'msg msg-alarm'}>{message}</output>
    </>
  );
}
