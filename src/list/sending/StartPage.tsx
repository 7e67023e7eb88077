import { type ComponentType, type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { type Session, useSession } from '#src/api/session.ts';
import { useStarting } from '#src/api/startOperation.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { paths } from '#src/lib/paths.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { ReadOnlyPage } from '#src/ui/ReadOnlyPage.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { SecondSend, whyOff } from './SecondSend.tsx';
import type { StartState } from './useStartForm.ts';

interface StartGuardProps {
  title: string;
  Form: ComponentType<{ session: Session }>;
  /** What asks for another form, and another key, beside another account. */
  anew?: string;
}

/** Where a form of an operation mounts: never for a session that only reads. */
export function StartGuard({ title, Form, anew = '' }: StartGuardProps) {
  const session = useSession();
  if (session === null) return null;
  if (session.read_only) return <ReadOnlyPage title={title} />;
  return <Form key={`${session.service} ${session.account} ${anew}`} session={session} />;
}

interface StartPageProps {
  start: StartState;
  title: string;
  /** "you create it": until then nothing is recorded or sent. */
  until: string;
  /** What the one button does: a verb with its object. */
  button: string;
  /** Adds height for many fields. */
  tall?: boolean;
  /** Beside the button. */
  further?: ReactNode;
  /** Where what was typed is reviewed, in the place of the form; undefined: in the form itself. */
  step?: ReactNode;
  /** Facts beside the fields. */
  aside: ReactNode;
  children: ReactNode;
}

/** The page that starts an operation; while a request is on its way to the journal there is no form. */
export function StartPage(props: StartPageProps) {
  const { start, title, until, step } = props;
  const isRecording = useStarting().length > 0 || start.sending.gone;
  if (isRecording) return <BeingRecorded title={title} />;
  return (
    <>
      <PageHeader title={title} asOf={<span>Nothing is recorded or sent until {until}.</span>} />
      {step ?? <FormBody {...props} />}
    </>
  );
}

/**
 * The fields keep what was typed when it is refused. They scroll above a bar with the button, so that nothing a field
 * has to say moves it from under the pointer.
 */
function FormBody(props: StartPageProps) {
  const { start, button, tall = false, further, step, aside, children } = props;
  const { kind, sending, submit, problems } = start;
  const isReviewedHere = step === undefined;
  const { reviewed, confirmed, checking } = sending;
  const problem = isReviewedHere ? (sending.problem?.message ?? null) : null;
  const id = useId();
  const problemBox = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problems !== '') announce(problems);
  }, [problems]);
  useEffect(() => {
    if (problem !== null) problemBox.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <>
      <div className={tall ? 'page-body form-body' : 'page-body form-body form-short'}>
        <div className="pad">
          <div className="cols">
            <form className="form" id={id} noValidate onSubmit={onSubmit}>
              {children}
              {isReviewedHere && reviewed && (
                <SecondSend kind={kind} review={reviewed} confirmed={confirmed} onConfirm={sending.setConfirmed} />
              )}
              {problem !== null && (
                <div ref={problemBox}>
                  <Notice tone="alarm" live="status" title="Nothing was recorded or sent.">
                    {problem}
                  </Notice>
                </div>
              )}
            </form>
            <aside className="aside" aria-label="Beside the form">
              {aside}
            </aside>
          </div>
        </div>
      </div>
      <div className="form-foot">
        <Button
          variant="primary"
          type="submit"
          form={id}
          disabledReason={isReviewedHere ? whyOff(sending) : undefined}
          aria-busy={isReviewedHere && checking}
        >
          {button}
        </Button>
        {further}
        {isReviewedHere && <output className="small sub">{checking && 'Checking for the same'}</output>}
      </div>
    </>
  );
}

/** In the place of a form, while what was sent last is not known to be recorded: what is typed now could pay it again. */
function BeingRecorded({ title }: { title: string }) {
  const [start] = useStarting();
  // Most are recorded before anybody could read of it.
  const isSlow = useDelay(true, 500);
  return (
    <>
      <PageHeader title={title} />
      <div className="page-body pad">
        {!isSlow ? null : start ? (
          <Notice tone="motion" live="status" title={`A ${KIND[start.kind].one} is being recorded.`}>
            The form opens again when that is known. <Link to={paths.operation(start.key)}>Open it</Link>
          </Notice>
        ) : (
          <output>Opening the operation</output>
        )}
      </div>
    </>
  );
}
