import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router';
import { type Session, useSession } from '#src/api/session.ts';
import type { WithdrawalFields } from '#src/operations/body.ts';
import { useRowsRead } from '#src/list/useRowsRead.ts';
import { newKey } from '#src/operations/key.ts';
import { useKnownAddresses } from '#src/operations/useKnownAddresses.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { ReadOnlyPage } from '#src/ui/ReadOnlyPage.tsx';
import { FormStep } from './FormStep.tsx';
import { prefillOf, reviewed } from './formValues.ts';
import './new-withdrawal.css';
import { ReviewStep } from './ReviewStep.tsx';
import { SecondSend } from './SecondSend.tsx';
import { Storage } from './Storage.tsx';
import { useReview } from './useReview.ts';
import { useSend } from './useSend.ts';

export function Component() {
  const session = useSession();
  if (session === null) return null;
  if (session.read_only) return <ReadOnlyPage title="New withdrawal" />;
  // Keyed, so that another account gets another form, and another key.
  return <NewWithdrawal key={`${session.service} ${session.account}`} session={session} />;
}

function NewWithdrawal({ session }: { session: Session }) {
  const { state } = useLocation();
  // The one key of this form, whatever is edited, reviewed or tried again.
  const [key] = useState(() => newKey());
  const form = useForm<WithdrawalFields>({ mode: 'onTouched', defaultValues: prefillOf(state) });
  const rows = useRowsRead(session.account);
  const known = useKnownAddresses(session, rows);
  const review = useReview();
  const sending = useSend(key, review.leaveFor);
  const { values } = review;
  const { earlier, confirmed, problem } = sending;
  useHeadingFocus(values === null ? 'form' : 'review');
  const openReview = (typed: WithdrawalFields) => {
    sending.reset();
    review.open(reviewed(typed));
  };
  const said = values ? 'Nothing is recorded or sent yet.' : 'Nothing is recorded or sent until you send.';
  return (
    <>
      <PageHeader title={values ? 'Review the withdrawal' : 'New withdrawal'} asOf={<span>{said}</span>} />
      {values === null && !review.leaving ? (
        <FormStep form={form} session={session} known={known} rows={rows} onReview={openReview} />
      ) : (
        <div className="page-body">
          <div className="pad">
            <Storage />
            {values === null || review.leaving ? (
              <output>Opening the operation</output>
            ) : (
              <ReviewStep
                values={values}
                idempotencyKey={key}
                account={session.account}
                known={known}
                pending={sending.pending}
                off={earlier.length > 0 && !confirmed ? 'Say first that it is another withdrawal.' : undefined}
                onSend={() => sending.send(values)}
                onBack={review.back}
              >
                {earlier.length > 0 && (
                  <SecondSend
                    earlier={earlier}
                    asset={values.asset}
                    confirmed={confirmed}
                    onConfirm={sending.setConfirmed}
                  />
                )}
                {problem !== null && (
                  <Notice tone="alarm" live="status" title="Nothing was recorded or sent.">
                    {problem}
                  </Notice>
                )}
              </ReviewStep>
            )}
          </div>
        </div>
      )}
    </>
  );
}

/** A step of a page is no other page, so it moves the focus to its heading itself. */
function useHeadingFocus(step: string): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    document.querySelector<HTMLElement>('main [data-page-title]')?.focus();
  }, [step]);
}
