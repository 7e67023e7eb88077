import type { MouseEvent } from 'react';
import { PATHS } from '#src/api/contract.ts';
import { describeError } from '#src/api/errors.ts';
import { type WithdrawalFields, withdrawalBody, withdrawalRequest } from '#src/lib/operations/withdrawal.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { SecondSend, whyOff } from '#src/list/sending/SecondSend.tsx';
import type { StartState } from '#src/list/sending/useStartForm.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Chunks } from '#src/ui/Chunks.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { RawText } from '#src/ui/RawText.tsx';
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
            <dl className="readback">
              <div className="big closed">
                <dt>Amount</dt>
                <dd>
                  <Amount value={values.amount} asset={values.asset} readBack figure always />
                </dd>
              </div>
              <div>
                <dt>To</dt>
                <dd>
                  <Chunks value={values.address} />
                  <span className="mono full">{values.address}</span>
                </dd>
              </div>
              <div>
                <dt>Chain</dt>
                <dd>
                  <RawText value={values.chain} />
                </dd>
              </div>
              <div>
                <dt>Recipient</dt>
                <dd>
                  <RecipientNotes place={values} known={known} />
                </dd>
              </div>
              <div>
                <dt>Fee</dt>
                <dd className="sub">Unknown until the service answers</dd>
              </div>
              <div>
                <dt>Available</dt>
                <dd>
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
                </dd>
              </div>
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
            <div className="form-end">
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
