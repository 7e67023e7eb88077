import type { MouseEvent, ReactNode } from 'react';
import { PATHS } from '#src/api/contract.ts';
import { type WithdrawalFields, withdrawalBody } from '#src/lib/operations/withdrawal.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Chunks } from '#src/ui/Chunks.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';
import { AsOf } from './AsOf.tsx';
import { mistakenFor } from './blocked.ts';
import { RecipientNotes } from './RecipientNotes.tsx';
import { useAssetBalance } from './useAssetBalance.ts';

interface ReviewStepProps {
  values: WithdrawalFields;
  idempotencyKey: string;
  account: string;
  known: Known;
  /** What stands in its way is being asked. */
  checking: boolean;
  /** Why "Send withdrawal" is off. */
  off: string | undefined;
  onSend: () => void;
  onBack: () => void;
  /** The second-send step, or why it could not be checked. */
  children: ReactNode;
}

/** Everything read back exactly as it will be sent. */
export function ReviewStep({
  values,
  idempotencyKey,
  account,
  known,
  checking,
  off,
  onSend,
  onBack,
  children,
}: ReviewStepProps) {
  const balance = useAssetBalance(account, values.asset, true);
  // The form blocks it; what became known since then does, too.
  const isBlocked = mistakenFor(known.known, values).length > 0;
  const send = (event: MouseEvent) => {
    // The second half of a double click on "Review withdrawal" may land here, before anything was read.
    if (event.detail < 2) onSend();
  };
  return (
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
        {children}
        <div className="form-end">
          <Button
            variant="primary"
            disabledReason={
              isBlocked
                ? 'This address is easily mistaken for a known one. Go back to the form.'
                : checking
                  ? 'Checking for earlier payments'
                  : off
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
        <RequestPreview path={PATHS.withdrawals} idempotencyKey={idempotencyKey} body={withdrawalBody(values)} />
        <section>
          <h2>The same payment twice</h2>
          <p className="sub small">
            Before anything is recorded, this account’s operations and the provider’s latest withdrawals are searched
            for the same destination.
          </p>
        </section>
      </aside>
    </div>
  );
}
