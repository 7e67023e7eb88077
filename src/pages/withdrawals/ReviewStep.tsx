import type { MouseEvent, ReactNode } from 'react';
import { PATHS } from '#src/api/contract.ts';
import { describeError } from '#src/api/errors.ts';
import { type WithdrawalFields, withdrawalBody, withdrawalRequest } from '#src/lib/operations/withdrawal.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { SecondSend, whyOff } from '#src/list/sending/SecondSend.tsx';
import type { StartState } from '#src/list/sending/useStartForm.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { GroupedAddress } from '#src/ui/GroupedAddress.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';
import { AsOf } from './AsOf.tsx';
import { mistakenFor } from './blocked.ts';
import { RecipientNotes } from './RecipientNotes.tsx';
import { useAssetBalance } from './useAssetBalance.ts';

interface ReviewStepProps {
  values: WithdrawalFields;
  start: StartState;
  account: string;
  known: Known;
  onBack: () => void;
}

/** Everything read back exactly as it will be sent, and what a person has to see before. */
export function ReviewStep({ values, start, account, known, onBack }: ReviewStepProps) {
  const { key, kind, sending } = start;
  const { reviewed, confirmed, checking, problem } = sending;
  const balance = useAssetBalance(account, values.asset, true);
  // The form blocks it; what became known since then does, too.
  const isBlocked = mistakenFor(known.known, values).length > 0;
  const send = (event: MouseEvent) => {
    // The second half of a double click on "Review withdrawal" may land here, before anything was read.
    if (event.detail < 2) sending.send(withdrawalRequest(values));
  };
  return (
    <div className="page-body">
      <div className="pad">
        <div className="cols">
          <div className="form">
            <dl className="border-t-2 border-ink">
              <ReadBack label="Amount" sum>
                <Amount value={values.amount} asset={values.asset} readBack figure always />
              </ReadBack>
              <ReadBack label="To">
                <GroupedAddress value={values.address} />
                <span className="mono block pt-1 text-ink-2">{values.address}</span>
              </ReadBack>
              <ReadBack label="Chain">
                <UntrustedText value={values.chain} />
              </ReadBack>
              <ReadBack label="Recipient">
                <RecipientNotes place={values} known={known} />
              </ReadBack>
              <ReadBack label="Fee">
                <span className="sub">Unknown until the service answers</span>
              </ReadBack>
              <ReadBack label="Available">
                {balance.balance ? (
                  <>
                    <Amount value={balance.balance.available} asset={values.asset} flow />{' '}
                    <span className="dim small">
                      <AsOf {...balance} />
                    </span>
                  </>
                ) : (
                  <span className="sub">{balance.complete ? 'No balance of this asset' : 'Not read'}</span>
                )}
              </ReadBack>
            </dl>
            {reviewed && (
              <SecondSend
                kind={kind}
                asset={values.asset}
                review={reviewed}
                confirmed={confirmed}
                onConfirm={sending.setConfirmed}
              />
            )}
            {problem && (
              <ErrorNotice
                error={describeError(problem)}
                heading="It could not be checked for earlier payments"
                onRetry={() => sending.review(withdrawalRequest(values))}
                retrying={checking}
              />
            )}
            <div className="acts-row gap-3">
              <Button
                variant="primary"
                disabledReason={
                  isBlocked
                    ? 'This address is easily mistaken for a known one. Go back to the form.'
                    : checking
                      ? 'Checking for earlier payments'
                      : reviewed === null
                        ? 'Not checked yet.'
                        : whyOff(sending)
                }
                aria-busy={checking}
                onClick={send}
              >
                Send withdrawal
              </Button>
              <Button onClick={onBack}>Back to the form</Button>
            </div>
            <p className="sub small">
              The server records it first, then makes one request under one key. You may close this page or lose the
              connection at any time: the server goes on, and opening it again never starts a second payment.
            </p>
          </div>
          <aside className="aside" aria-label="The request">
            <RequestPreview path={PATHS.withdrawals} idempotencyKey={key} body={withdrawalBody(values)} />
            <section>
              <h2>The same payment twice</h2>
              <p className="sub small">
                Before anything is recorded, this account’s operations and the provider’s latest withdrawals are
                searched for the same destination.
              </p>
            </section>
          </aside>
        </div>
      </div>
    </div>
  );
}

interface ReadBackProps {
  label: string;
  /** Larger, and closed by the double rule. */
  sum?: boolean;
  children: ReactNode;
}

function ReadBack({ label, sum = false, children }: ReadBackProps) {
  const look = sum ? 'items-baseline border-b-3 border-double border-rule-cash py-4' : 'border-b border-rule py-3';
  return (
    <div className={`grid grid-cols-[7rem_minmax(0,1fr)] gap-4 narrow:grid-cols-1 narrow:gap-1 ${look}`}>
      <dt className="pt-0.5 text-ink-2">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
