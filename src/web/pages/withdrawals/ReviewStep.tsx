import { type ComponentProps, type MouseEvent, useEffect, useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { FormDay } from '#src/web/send/FormFields.tsx';
import { ENTER_A_DAY, payByHelp } from '#src/web/send/payBy.ts';
import { FormColumns, FormFoot } from '#src/web/send/SendFormPage.tsx';
import { approvalWords } from '#src/shared/operations/approvalWords.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { mistakenFor } from '#src/shared/operations/knownAddresses.ts';
import { shorten } from '#src/shared/text.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { CONFIRM_FIRST, confirmFirst, SecondSend } from '#src/web/send/SecondSend.tsx';
import { AvailableNowAndAfter, MoreThanAvailable, PaymentSentence, ReadBack } from '#src/web/send/PaymentReadBack.tsx';
import type { SendForm } from '#src/web/send/useSendForm.ts';
import { useSession } from '#src/web/api/session.ts';
import { signsByPasskey } from '#src/web/api/signing.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { CommandFault } from '#src/web/list/CommandButton.tsx';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { UntrustedText, GroupedAddress } from '#src/web/ui/UntrustedText.tsx';
import { RequestPreview } from '#src/web/ui/RequestPreview.tsx';
import { type AssetBalance, isMoreThan, useAssetBalance } from '#src/web/send/useAssetBalance.ts';
import { RecipientNotes } from '#src/web/send/RecipientNotes.tsx';
import { useToday } from '#src/web/ui/useToday.ts';
import { StandingDateNotice } from './StandingDate.tsx';
import { type FormFields, type WithdrawalForm } from './withdrawalForm.ts';

interface ReviewStepProps {
  values: FormFields;
  sendForm: SendForm;
  form: WithdrawalForm;
  known: AddressHistory;
  onBack: () => void;
}

export function ReviewStep({ values, sendForm, form, known, onBack }: ReviewStepProps) {
  const { key, kind, duplicates, signature } = sendForm;
  useEffect(() => signature.discardPending, [signature.discardPending]);
  const { review, isChecking, error } = duplicates;
  const approval = review?.approval ?? null;
  const isForApproval = approval !== null && approval.needs > 0;
  const isSigned = signsByPasskey(useSession()) && approval !== null && !isForApproval;
  const request = withdrawalRequest(values);
  const name = known.known.find(values)?.name ?? null;
  const balance = useAssetBalance(values.asset, true);
  // Only the page asks this: the server doesn't compare the amount with the balance.
  const isMore = isMoreThan(values.amount, balance.balance?.available);
  const [isMoreConfirmed, setMoreConfirmed] = useState(false);
  return (
    <FormColumns label="The request" aside={<AboutTheRequest request={request} idempotencyKey={key} />}>
      <div className="form">
        <div>
          <PaymentSentence verb="Send" payment={values} name={name} />
          <PaymentFacts
            values={values}
            known={known}
            balance={balance}
            approval={approval !== null && isForApproval ? approvalWords(approval) : null}
            earlierShown={review !== null && review.of.length > 0}
          />
        </div>
        <StandingDateNotice control={form.control} />
        {isForApproval && <PayByField form={form} />}
        {isMore && (
          <MoreThanAvailable
            asset={values.asset}
            available={balance.balance?.available}
            confirmation={`The amount is right. ${isForApproval ? 'Submit' : 'Send'} it all the same.`}
            isConfirmed={isMoreConfirmed}
            onConfirm={setMoreConfirmed}
          />
        )}
        {review && (
          <SecondSend
            kind={kind}
            asset={values.asset}
            to={name ?? shorten(values.address)}
            review={review}
            duplicates={duplicates}
          />
        )}
        {error && (
          <ErrorNotice
            error={error}
            heading="Couldn’t check for earlier payments"
            onRetry={() => sendForm.check(request)}
            retrying={isChecking}
          />
        )}
        {signature.error && <CommandFault error={signature.error} />}
        <FormFoot ruled={false}>
          <SendButton
            values={values}
            sendForm={sendForm}
            form={form}
            known={known}
            isConfirmed={!isMore || isMoreConfirmed}
          />
          <Button onClick={onBack}>Back to the form</Button>
        </FormFoot>
        <output className="small sub empty:hidden">{signature.wasCancelled && 'Cancelled. Nothing was sent.'}</output>
        <p className="sub small">
          {isSigned && 'You sign exactly this payment with your passkey. '}
          {isForApproval && 'Nothing is sent until it is approved. '}
          Safe to close this page: reopening it never pays twice.
        </p>
      </div>
    </FormColumns>
  );
}

/** Saved separately from the request, and never sent to the provider. */
function PayByField({ form: { control } }: { form: WithdrawalForm }) {
  const date = useWatch({ control, name: 'payBy' });
  const today = useToday();
  return <FormDay label="Pay by" hint="(optional)" help={payByHelp(date, today)} control={control} name="payBy" />;
}

function AboutTheRequest(props: ComponentProps<typeof RequestPreview>) {
  return (
    <>
      <section>
        <details>
          <summary>Request details</summary>
          <RequestPreview {...props} />
        </details>
      </section>
      <section>
        <h2>Duplicate check</h2>
        <p className="sub small">
          This account’s payments and the provider’s latest withdrawals are searched for the same recipient before
          anything is sent.
        </p>
      </section>
    </>
  );
}

interface PaymentFactsProps extends Pick<ReviewStepProps, 'values' | 'known'> {
  balance: AssetBalance;
  /** The approvals that the payment needs, in words; null if none, or not known. */
  approval: string | null;
  earlierShown: boolean;
}

function PaymentFacts({ values, known, balance, approval, earlierShown }: PaymentFactsProps) {
  const { asset, amount, address, reference } = values;
  return (
    <dl>
      <ReadBack label="To">
        <GroupedAddress value={address} />
        <RecipientNotes
          place={values}
          known={known}
          assets={[{ asset }, ...balance.balances]}
          earlierShown={earlierShown}
        />
      </ReadBack>
      <ReadBack label="Fee">
        <span className="sub">Known after sending</span>
      </ReadBack>
      <ReadBack label="Available">
        <AvailableNowAndAfter asset={asset} amount={amount} balance={balance} />
      </ReadBack>
      {reference !== '' && (
        <ReadBack label="Reference">
          <UntrustedText value={reference} max={200} />
        </ReadBack>
      )}
      {approval !== null && <ReadBack label="Approval">{approval}</ReadBack>}
    </dl>
  );
}

interface SendButtonProps extends Omit<ReviewStepProps, 'onBack'> {
  /** False until the person has confirmed everything else that is unusual. */
  isConfirmed: boolean;
}

function SendButton({ values, sendForm, form, known, isConfirmed }: SendButtonProps) {
  const { duplicates, signature } = sendForm;
  const { review, isChecking } = duplicates;
  const { errors } = useFormState({ control: form.control, name: 'payBy' });
  const send = (event: MouseEvent) => {
    // The second click of a double click on "Review withdrawal" may land on this button.
    if (event.detail < 2) sendForm.send(withdrawalRequest(values));
  };
  const disabledReason = () => {
    // The form blocks it as well, but the known addresses may have changed since.
    if (mistakenFor(known.known, values).length > 0)
      return 'This imitates an address that is known here. Go back to the form.';
    if (isChecking) return 'Checking for earlier payments…';
    if (review === null) return 'Not checked yet.';
    if (errors.payBy) return ENTER_A_DAY;
    if (signature.isPending) return 'Waiting for your passkey…';
    return isConfirmed ? confirmFirst(duplicates) : CONFIRM_FIRST;
  };
  return (
    <Button
      variant="primary"
      disabledReason={disabledReason()}
      aria-busy={isChecking || signature.isPending}
      onClick={send}
    >
      {(review?.approval?.needs ?? 0) > 0 ? 'Submit for approval' : 'Send withdrawal'}
    </Button>
  );
}
