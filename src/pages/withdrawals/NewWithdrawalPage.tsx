import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import { type Session, useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import type { WithdrawalFields } from '#src/operations/body.ts';
import { newKey } from '#src/operations/key.ts';
import type { SameSend, StartResult } from '#src/operations/outcomes.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { useStartWithdrawal } from '#src/operations/useStartWithdrawal.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { FormStep } from './FormStep.tsx';
import { prefillOf, reviewed } from './formValues.ts';
import './new-withdrawal.css';
import { ReviewStep } from './ReviewStep.tsx';
import { SecondSend } from './SecondSend.tsx';
import { useBackToForm } from './useBackToForm.ts';

export function Component() {
  const session = useSession();
  if (session === null) return null;
  if (session.read_only) return <ReadOnly />;
  // Keyed, so that another account gets another form, and another key.
  return <NewWithdrawal key={`${session.service} ${session.account}`} session={session} />;
}

function ReadOnly() {
  return (
    <>
      <PageHeader title="New withdrawal" />
      <div className="page-body pad">
        <Notice tone="plain" title="This session is read-only.">
          Sending is not offered here: the gateway refuses everything that changes something at the service.
        </Notice>
      </div>
    </>
  );
}

function NewWithdrawal({ session }: { session: Session }) {
  const { state } = useLocation();
  const navigate = useNavigate();
  // The one key of this form, whatever is edited, reviewed or tried again.
  const [key] = useState(() => newKey());
  const [values, setValues] = useState<WithdrawalFields | null>(null);
  const [earlier, setEarlier] = useState<readonly SameSend[]>([]);
  const [confirmed, setConfirmed] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<WithdrawalFields>({ mode: 'onTouched', defaultValues: prefillOf(state) });
  const start = useStartWithdrawal();
  const underWay = useRef(false);

  const backToForm = () => {
    if (underWay.current) return;
    setValues(null);
    setEarlier([]);
    setConfirmed(false);
    setProblem(null);
  };
  useBackToForm(values !== null, backToForm);
  useHeadingFocus(values === null ? 'form' : 'review');

  const take = (result: StartResult) => {
    underWay.current = false;
    if (result.outcome === 'not-recorded') setProblem(result.reason);
    else if (result.outcome === 'second-send') {
      setEarlier((known) => [...known.filter(({ id }) => result.of.every((same) => same.id !== id)), ...result.of]);
      setConfirmed(false);
    } else if (result.id === null) setProblem(FOREIGN);
    else {
      const instead = result.outcome === 'existing' ? { state: { instead: true } } : {};
      void navigate(paths.operation(result.id), { replace: true, ...instead });
    }
  };
  // Synchronous, before any await: a second click in the same moment finds it set.
  const send = () => {
    if (underWay.current || values === null) return;
    underWay.current = true;
    setProblem(null);
    const secondSendOf = confirmed ? earlier.map(({ id }) => id) : [];
    start.mutate(
      { key, ...values, secondSendOf },
      { onSuccess: take, onError: (error) => take({ outcome: 'not-recorded', reason: error.message }) },
    );
  };

  const reviewing = values !== null;
  return (
    <>
      <PageHeader
        title={reviewing ? 'Review the withdrawal' : 'New withdrawal'}
        asOf={reviewing && <span>Nothing is recorded or sent yet.</span>}
      />
      <div className="page-body">
        <div className="pad">
          <Storage />
          {values === null ? (
            <FormStep form={form} account={session.account} onReview={(typed) => setValues(reviewed(typed))} />
          ) : (
            <ReviewStep
              values={values}
              idempotencyKey={key}
              account={session.account}
              pending={start.isPending}
              off={earlier.length > 0 && !confirmed ? 'Say first that it is another withdrawal.' : undefined}
              onSend={send}
              onBack={backToForm}
            >
              {earlier.length > 0 && (
                <SecondSend earlier={earlier} asset={values.asset} confirmed={confirmed} onConfirm={setConfirmed} />
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
    </>
  );
}

const FOREIGN =
  'Another account recorded a withdrawal to this destination in this browser, and it is not settled yet. Sign in to that account to settle it.';

/** A step of a page is no navigation, so it moves the focus to its heading itself. */
function useHeadingFocus(step: string): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    document.querySelector<HTMLElement>('main [data-page-title]')?.focus();
  }, [step]);
}

function Storage() {
  const { status, reason, mayForget } = useOperations();
  if (status === 'unavailable') {
    return (
      <div className="storage">
        <Notice tone="alarm" live="status" title="Withdrawals cannot be sent from this browser now.">
          It cannot keep the record that a withdrawal needs before it leaves. {reason}
        </Notice>
      </div>
    );
  }
  if (!mayForget) return null;
  return (
    <p className="storage small sub">
      This browser did not promise to keep its records and may forget them when space runs low.
    </p>
  );
}
