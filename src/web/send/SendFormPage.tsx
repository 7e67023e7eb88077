import { useRefusal } from '#src/web/api/permissions.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { PageFrame, PageHeader } from '#src/web/ui/PageHeader.tsx';
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { peopleQuery } from '#src/web/api/people.ts';
import { useSession } from '#src/web/api/session.ts';
import { useMarkVisible, useUnansweredStarts } from '#src/web/api/operations/pendingStarts.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { paths } from '#src/shared/paths.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { DraftNotice } from './DraftNotice.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { confirmFirst, SecondSend } from './SecondSend.tsx';
import type { SendForm } from './useSendForm.ts';

export function SendFormGuard({ title, Form }: { title: string; Form: ComponentType }) {
  const session = useSession();
  const refusal = useRefusal('prepare');
  if (refusal !== undefined)
    return (
      <PageFrame padded title={title}>
        <Notice tone="plain" title={refusal}>
          {session.person === null ? (
            'Nothing can be sent or created here.'
          ) : (
            <WhoCanPrepare account={session.account} />
          )}
        </Notice>
      </PageFrame>
    );
  return <Form key={`${session.service} ${session.account}`} />;
}

function WhoCanPrepare({ account }: { account: string }) {
  const { data } = useQuery(peopleQuery(account));
  if (data === undefined) return null;
  const operators = data.people.filter(
    ({ state, permissions }) => state === 'active' && permissions.includes('prepare'),
  );
  const names = operators.map(({ name }) => name);
  if (names.length === 0) return 'Nobody is one yet: an admin gives roles on the People page.';
  return `Ask ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.`;
}

interface SendFormPageProps {
  sendForm: SendForm;
  title: string;
  button: string;
  from: string;
  /** A review step shown instead of the form; undefined if the form itself has the review. */
  step?: ReactNode;
  aside: ReactNode;
  children: ReactNode;
}

export function SendFormPage(props: SendFormPageProps) {
  const { sendForm, title, step } = props;
  const isRecording = useUnansweredStarts().length > 0 || sendForm.hasLeft;
  if (isRecording) return <RecordingNotice title={title} />;
  return (
    <>
      <PageHeader title={title} />
      {step ?? <FormBody key={sendForm.round} {...props} />}
    </>
  );
}

/**
 * Keeps the typed values when the request is refused. If the fields are taller than the window, the buttons stick to its
 * bottom.
 */
function FormBody(props: SendFormPageProps) {
  const { sendForm, button, from, step, aside, children } = props;
  const { kind, duplicates, submit, cancel, isBlank } = sendForm;
  const isReviewedHere = step === undefined;
  const { review, isChecking, error } = duplicates;
  const problem = isReviewedHere ? (error?.message ?? null) : null;
  const fields = useRef<HTMLFormElement>(null);
  const problemBox = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem !== null) problemBox.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  useEffect(() => {
    const inputs = [...(fields.current?.querySelectorAll<HTMLInputElement>('.in:not([readonly])') ?? [])];
    const toFill = isBlank ? undefined : inputs.find((input) => input.required && input.value === '');
    (toFill ?? inputs[0])?.focus();
  }, [isBlank]);
  return (
    <FormColumns label="Beside the form" aside={aside}>
      <form className="form" noValidate onSubmit={submit} ref={fields} data-keeps-focus>
        {sendForm.draftAt !== null && (
          <DraftNotice what="your draft" at={sendForm.draftAt} onStartOver={sendForm.startOver} />
        )}
        {children}
        {isReviewedHere && review && <SecondSend kind={kind} duplicates={duplicates} review={review} />}
        {problem !== null && (
          <div ref={problemBox}>
            <Notice tone="alarm" live title="Nothing was recorded or sent.">
              {problem}
            </Notice>
          </div>
        )}
        <FormFoot>
          <Button
            variant="primary"
            type="submit"
            disabledReason={isReviewedHere ? confirmFirst(duplicates) : undefined}
            aria-busy={isReviewedHere && isChecking}
          >
            {button}
          </Button>
          <Button variant="quiet" onClick={() => cancel(from)}>
            Cancel
          </Button>
          <output className="small sub narrow:hidden">
            {isReviewedHere ? isChecking && 'Checking for duplicates…' : 'Nothing is sent until you confirm.'}
          </output>
        </FormFoot>
      </form>
    </FormColumns>
  );
}

/** One column of fields with facts beside it. The scroll margin keeps the focused field clear of the sticky buttons. */
export function FormColumns({ aside, label, children }: { aside: ReactNode; label: string; children: ReactNode }) {
  return (
    <div className="page-body [&_:is(input,textarea,button,a)]:scroll-mb-20">
      <div className="pad">
        <div className="grid grid-cols-[minmax(0,38rem)_minmax(0,23rem)] items-start gap-12 medium:grid-cols-[minmax(0,38rem)] medium:gap-6 narrow:grid-cols-1">
          {children}
          <aside
            className="grid gap-5 border-t border-rule-strong [&_.amt]:whitespace-normal max-[30rem]:[&_.amt_.n]:pl-0 [&_.facts]:grid-cols-[6.5rem_minmax(0,1fr)] [&_h2]:text-body [&_section]:grid [&_section]:gap-1 [&_section]:pt-3 [&_section+section]:border-t [&_section+section]:border-rule"
            aria-label={label}
          >
            {aside}
          </aside>
        </div>
      </div>
    </div>
  );
}

interface FormFootProps {
  ruled?: boolean;
  /** Below a table that is as wide as the page. */
  wide?: boolean;
  children: ReactNode;
}

export function FormFoot({ ruled = true, wide = false, children }: FormFootProps) {
  return (
    <div
      className={`sticky bottom-0 z-5 -mt-2 flex flex-wrap items-center gap-3 bg-sheet py-3 [@media(max-height:24rem)]:static ${ruled ? 'border-t border-rule' : ''} ${wide ? '-mx-gutter px-gutter' : ''}`}
    >
      {children}
    </div>
  );
}

/** Replaces a form while the last start is unanswered: a new one could pay the same again. */
function RecordingNotice({ title }: { title: string }) {
  const [start] = useUnansweredStarts();
  useMarkVisible(start?.key, 'form');
  // Most starts are recorded sooner, so show nothing at first.
  const isSlow = useDelay(true, 500);
  return (
    <PageFrame padded title={title}>
      {!isSlow ? null : start ? (
        <Notice tone="motion" live title={`A ${KIND[start.kind].one} is being recorded.`}>
          The form opens again when that is known. <Link to={paths.operation(start.key)}>Open it</Link>
        </Notice>
      ) : (
        <output>Opening the operation</output>
      )}
    </PageFrame>
  );
}

interface ProtectedProps {
  against: string;
  what?: string;
  /** How the provider treats a repeated request. */
  once: string;
  /** Also says for how long this holds. */
  limited?: boolean;
}

/** Explains why nothing is sent twice. Collapsed, because most people read it once. */
export function Protected({ against, what = 'The request', once, limited = false }: ProtectedProps) {
  return (
    <section>
      <details className="small">
        {/* An error that appears when a field loses focus may move this away from the pointer: the click must still count. */}
        <summary onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}>
          Protected against {against}
        </summary>
        <p className="sub pt-1">
          {what} is recorded here before it is sent, under one Idempotency-Key. If the response gets lost, a retry sends
          the same request under the same key, and the provider {once}.
          {limited && ' That holds for 24 hours; this app stops resending after 23.'}
        </p>
      </details>
    </section>
  );
}
