import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { FormColumns, FormFoot } from '#src/web/send/SendFormPage.tsx';
import { chainLabel } from '#src/shared/chains/names.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { mistakenFor } from '#src/shared/operations/knownAddresses.ts';
import { shorten } from '#src/shared/text.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { CONFIRM_FIRST, confirmFirst, SecondSend } from '#src/web/send/SecondSend.tsx';
import type { SendForm } from '#src/web/send/useSendForm.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { CommandFault } from '#src/web/list/CommandButton.tsx';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText, GroupedAddress } from '#src/web/ui/UntrustedText.tsx';
import { RequestPreview } from '#src/web/ui/RequestPreview.tsx';
import { AsOf } from './AmountField.tsx';
import { type AssetBalance, isMoreThan, useAssetBalance } from './useAssetBalance.ts';
import { RecipientNotes } from './RecipientNotes.tsx';
import { availableAfter } from './Summary.tsx';
import type { FormFields } from './withdrawalForm.ts';

interface ReviewStepProps {
  values: FormFields;
  sendForm: SendForm;
  known: AddressHistory;
  onBack: () => void;
}

export function ReviewStep({ values, sendForm, known, onBack }: ReviewStepProps) {
  const { key, kind, duplicates, signature } = sendForm;
  useEffect(() => signature.leave, [signature.leave]);
  const { review, isChecking, error } = duplicates;
  const request = withdrawalRequest(values);
  const name = known.known.find(values)?.name ?? null;
  const balance = useAssetBalance(values.asset, true);
  const isMore = isMoreThan(values.amount, balance.balance?.available);
  const [isMoreConfirmed, setMoreConfirmed] = useState(false);
  return (
    <FormColumns label="The request" aside={<AboutTheRequest request={request} idempotencyKey={key} />}>
      <div className="form">
        <div>
          <PaymentSentence values={values} name={name} />
          <PaymentFacts
            values={values}
            known={known}
            balance={balance}
            earlierShown={review !== null && review.of.length > 0}
          />
        </div>
        {isMore && (
          <MoreThanAvailable
            asset={values.asset}
            available={balance.balance?.available}
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
          <SendButton values={values} sendForm={sendForm} known={known} isConfirmed={!isMore || isMoreConfirmed} />
          <Button onClick={onBack}>Back to the form</Button>
        </FormFoot>
        <output className="small sub empty:hidden">{signature.wasCancelled && 'Cancelled. Nothing was sent.'}</output>
        <p className="sub small">
          {signature.isByPasskey && 'You sign exactly this payment with your passkey. '}
          Safe to close this page: reopening it never pays twice.
        </p>
      </div>
    </FormColumns>
  );
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

interface PaymentSentenceProps {
  values: FormFields;
  /** The saved name of the recipient. */
  name: string | null;
}

function PaymentSentence({ values: { amount, asset, chain, address }, name }: PaymentSentenceProps) {
  return (
    <p className="border-t-2 border-b-3 border-ink border-b-rule-cash py-4 text-figure wrap-anywhere [border-bottom-style:double] narrow:text-title [&_.amt]:whitespace-normal [&_b_.a]:font-semibold [&_b_.a]:text-ink">
      Send{' '}
      <b>
        <Amount value={amount} asset={asset} readBack always />
      </b>{' '}
      to{' '}
      <b>
        {name === null ? (
          <span className="font-mono" translate="no">
            {shorten(address)}
          </span>
        ) : (
          <UntrustedText value={name} max={120} />
        )}
      </b>{' '}
      on <UntrustedText value={chainLabel(chain)} max={60} />
    </p>
  );
}

function PaymentFacts({
  values,
  known,
  balance,
  earlierShown,
}: Pick<ReviewStepProps, 'values' | 'known'> & { balance: AssetBalance; earlierShown: boolean }) {
  const { asset, amount, address, reference } = values;
  const after = availableAfter(balance.balance?.available, amount);
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
        {balance.balance ? (
          <>
            <Amount value={balance.balance.available} asset={asset} flow />{' '}
            <span className="dim small">
              <AsOf {...balance} />
            </span>
            {after !== null && (
              <span className="block sub">
                ≈ <Amount value={after} asset={asset} flow /> afterwards, before the fee
              </span>
            )}
          </>
        ) : (
          <span className="sub">{balance.complete ? 'No balance of this asset' : 'Not loaded'}</span>
        )}
      </ReadBack>
      {reference !== '' && (
        <ReadBack label="Reference">
          <UntrustedText value={reference} max={200} />
        </ReadBack>
      )}
    </dl>
  );
}

interface MoreThanAvailableProps {
  asset: string;
  available: unknown;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

/** The amount may be a slip of the keyboard. It isn't forbidden, as the balance may have changed since it was read. */
function MoreThanAvailable({ asset, available, isConfirmed, onConfirm }: MoreThanAvailableProps) {
  const id = useId();
  return (
    <Notice
      tone="open"
      live
      title={
        <>
          More than you have available (<Amount value={available} asset={asset} flow />
          ).
        </>
      }
    >
      <label className="check" htmlFor={id}>
        <input id={id} type="checkbox" checked={isConfirmed} onChange={({ target }) => onConfirm(target.checked)} />
        <span>The amount is right. Send it all the same.</span>
      </label>
    </Notice>
  );
}

interface SendButtonProps extends Omit<ReviewStepProps, 'onBack'> {
  /** False until a person has confirmed what else is unusual. */
  isConfirmed: boolean;
}

function SendButton({ values, sendForm, known, isConfirmed }: SendButtonProps) {
  const { duplicates, signature } = sendForm;
  const { review, isChecking } = duplicates;
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
      Send withdrawal
    </Button>
  );
}

function ReadBack({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4 border-b border-rule py-3 narrow:grid-cols-1 narrow:gap-1">
      <dt className="pt-0.5 text-ink-2">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
