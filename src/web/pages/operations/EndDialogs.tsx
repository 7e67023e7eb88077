import type { ReactNode } from 'react';
import type { CheckNote } from '#src/shared/contract/gatewayContract.ts';
import type { ReceivedView } from '#src/web/api/operations/operations.ts';
import type { OperationCommand } from '#src/web/api/operations/useOperations.ts';
import { TypedDialog } from '#src/web/send/TypedDialog.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { Time } from '#src/web/ui/Time.tsx';

interface CloseByHandProps {
  close: OperationCommand<string>;
  disabledReason?: string | undefined;
  children: ReactNode;
}

/** Closes the operation with a typed reason. The dialog says that this proves nothing. */
export function CloseByHand({ close, disabledReason, children }: CloseByHandProps) {
  return (
    <TypedDialog
      opener="Close manually"
      title="Close this operation manually"
      disabledReason={disabledReason}
      label="Reason"
      help="Who said what, when, and under which case number. Saved for good with the evidence."
      long
      validate={(words) => (words === '' ? 'Say why it is closed: it cannot be added later.' : null)}
      command={close}
      submit="Close operation"
      busy="Closing"
    >
      <ul className="grid max-w-184 gap-1 [&>li]:relative [&>li]:pl-4 [&>li]:before:absolute [&>li]:before:top-[0.6em] [&>li]:before:left-0 [&>li]:before:w-2 [&>li]:before:border-t [&>li]:before:border-rule-strong">
        <li>Close it only when the provider itself has told you what became of it.</li>
        <li>From then on it is shown as “Closed manually, outcome not proven here”, with your reason and the time.</li>
        <li>{children}</li>
        <li>The provider isn’t contacted, nothing is sent or undone, and it can’t be opened again.</li>
      </ul>
    </TypedDialog>
  );
}

const CONFIRMATION = 'not sent';

/** After 26 hours, a person confirms by typing that the complete list of the service does not have it. */
export function ConfirmNotSent({
  view,
  confirmNotSent,
}: {
  view: ReceivedView;
  confirmNotSent: OperationCommand<string>;
}) {
  const { operation: record } = view;
  const last = view.checks.at(-1);
  const checkProblem =
    last === undefined ? 'Check first: there is no list to go by yet.' : confirmDisabledReason(view, last);
  return (
    <TypedDialog
      opener="Confirm not sent"
      title="Confirm that it was not sent"
      disabledReason={view.disabled['confirm-not-sent'] ?? checkProblem ?? undefined}
      label={`Type the words "${CONFIRMATION}"`}
      validate={(words) => (words.toLowerCase() === CONFIRMATION ? null : `Type the two words: ${CONFIRMATION}`)}
      command={confirmNotSent}
      submit="Confirm not sent"
      busy="Loading the list once more"
    >
      {last?.complete ? (
        <p>The provider’s list of withdrawals was loaded back to before this one was first sent. It isn’t in it.</p>
      ) : (
        <p>
          The newest part of the provider’s list of withdrawals was loaded. It isn’t in it. The rest, back to before
          this one was first sent, is loaded when you confirm.
        </p>
      )}
      {last && (
        <Facts>
          {last.complete && (
            <Fact label="Complete from">
              <Time unix={record.firstSent.service} />, when it was first sent
            </Fact>
          )}
          <Fact label="To">
            <Time unix={last.date} />, by the provider’s clock
          </Fact>
          <Fact label="Checked at">
            <Time unix={Math.floor(last.at / 1000)} />, by the server’s clock
          </Fact>
          <TextFact label="Request ID" mono value={last.requestId} max={80} />
        </Facts>
      )}
      <p>
        The whole list is loaded once more first. Only if it is complete and doesn’t have it does the operation end as
        not sent, for good. The same withdrawal can be made again then.
      </p>
    </TypedDialog>
  );
}

/** Why "not sent" cannot be confirmed after this check; null if it read the list late enough and found nothing. */
function confirmDisabledReason(
  { absenceProvesFrom }: ReceivedView,
  { found, lookAlikes, date }: CheckNote,
): string | null {
  if (lookAlikes !== null && lookAlikes.length > 0) {
    return 'The provider lists a withdrawal that looks like this one, so nothing proves that it was not sent.';
  }
  if (found !== 'nothing' || lookAlikes === null) {
    return 'The last check couldn’t load the provider’s list of withdrawals, so it proves nothing.';
  }
  if (date === null) return 'The last check brought no time of the provider, so it proves nothing.';
  return date < absenceProvesFrom ? 'The last check was too early. Check again.' : null;
}

interface RejectPaymentProps {
  reject: OperationCommand<string>;
  disabledReason: string | undefined;
  reasonHidden: boolean;
}

/** Rejects a payment for good, with a reason. */
export function RejectPayment({ reject, ...button }: RejectPaymentProps) {
  return (
    <TypedDialog
      {...button}
      opener="Reject…"
      title="Reject this payment"
      label="Reason"
      help="The person who prepared it reads this."
      long
      validate={(words) => (words === '' ? 'Say why, so that it can be prepared better.' : null)}
      command={reject}
      submit="Reject payment"
      busy="Rejecting…"
      cancelLabel="Cancel"
    >
      <p>It ends as not sent, for good. It can be prepared again as a new payment.</p>
    </TypedDialog>
  );
}

/** An approver ends the resends of an unconfirmed payment, with a reason. */
export function StopResending({ stop }: { stop: OperationCommand<string> }) {
  return (
    <TypedDialog
      opener="Stop resending…"
      title="Stop resending this payment"
      label="Reason"
      help="The person who prepared it reads this. Saved for good with the evidence."
      long
      validate={(words) => (words === '' ? 'Say why it isn’t sent again.' : null)}
      command={stop}
      submit="Stop resending"
      busy="Stopping…"
      cancelLabel="Cancel"
    >
      <p>
        From then on nobody can send it again: it can only be checked or closed. It stays unconfirmed, since what was
        sent may have been executed.
      </p>
    </TypedDialog>
  );
}
