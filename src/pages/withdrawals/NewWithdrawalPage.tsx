import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { type Session, useSession } from '#src/api/session.ts';
import { withDraft } from '#src/api/startOperation.ts';
import { useSending } from '#src/api/useSending.ts';
import { newKey } from '#src/lib/operations/key.ts';
import { type WithdrawalFields, withdrawalRequest } from '#src/lib/operations/withdrawal.ts';
import { paths } from '#src/lib/paths.ts';
import { useKnownAddresses } from '#src/list/useKnownAddresses.ts';
import { useRowsRead } from '#src/list/loadedRows.ts';
import { BeingRecorded, useIsRecording } from '#src/list/sending/BeingRecorded.tsx';
import { CONFIRM_FIRST, SecondSend } from '#src/list/sending/SecondSend.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { ReadOnlyPage } from '#src/ui/ReadOnlyPage.tsx';
import { FormStep } from './FormStep.tsx';
import { prefillOf, reviewed } from './formValues.ts';
import './new-withdrawal.css';
import { ReviewStep } from './ReviewStep.tsx';
import { useReview } from './useReview.ts';

export function Component() {
  const session = useSession();
  if (session === null) return null;
  if (session.read_only) return <ReadOnlyPage title="New withdrawal" />;
  // Keyed, so that another account gets another form, and another key.
  return <NewWithdrawal key={`${session.service} ${session.account}`} session={session} />;
}

function NewWithdrawal({ session }: { session: Session }) {
  const { account } = session;
  const { state } = useLocation();
  // The one key of this form, whatever is edited, reviewed or tried again.
  const [key] = useState(() => newKey());
  const form = useForm<WithdrawalFields>({ mode: 'onTouched', defaultValues: prefillOf(withDraft(state)) });
  const rows = useRowsRead(account);
  const known = useKnownAddresses(session, rows);
  const review = useReview();
  const sending = useSending(key, account, {
    started: (to) => review.leaveFor(paths.operation(to)),
    existing: (to) => review.leaveFor(paths.operation(to), { instead: true }),
  });
  const { values } = review;
  const { reviewed: found, earlier, confirmed, checking, problem } = sending;
  const isRecording = useIsRecording(sending.gone);
  useHeadingFocus(values === null ? 'form' : 'review');
  const openReview = (typed: WithdrawalFields) => {
    const next = reviewed(typed);
    sending.reset();
    review.open(next);
    sending.review(withdrawalRequest(next));
  };
  if (isRecording) return <BeingRecorded title="New withdrawal" />;
  return (
    <>
      <PageHeader
        title={values ? 'Review the withdrawal' : 'New withdrawal'}
        asOf={<span>Nothing is recorded or sent until you send.</span>}
      />
      {values === null ? (
        <FormStep form={form} session={session} known={known} rows={rows} onReview={openReview} />
      ) : (
        <div className="page-body">
          <div className="pad">
            <ReviewStep
              values={values}
              idempotencyKey={key}
              account={account}
              known={known}
              checking={checking}
              off={found === null ? 'Not checked yet.' : earlier.length > 0 && !confirmed ? CONFIRM_FIRST : undefined}
              onSend={() => sending.send(withdrawalRequest(values), { path: paths.newWithdrawal, values })}
              onBack={review.back}
            >
              {found && (
                <SecondSend
                  kind="withdrawal"
                  asset={values.asset}
                  review={found}
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
            </ReviewStep>
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
