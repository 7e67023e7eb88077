import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { announce } from './announce.tsx';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

interface StartFormProps {
  onSubmit: (event: FormEvent) => unknown;
  /** What the one button does: a verb with its object. */
  button: string;
  /** What stands in the way is being asked. */
  pending: boolean;
  /** Why the button is off. */
  off?: string | undefined;
  /** Why nothing was recorded. */
  problem: string | null;
  /** What is wrong with the fields; announced, for the eye finds it beside them. */
  errors: readonly (string | undefined)[];
  /** Of many fields: the button stands lower. */
  tall?: boolean;
  children: ReactNode;
  /** Facts beside the fields. */
  aside: ReactNode;
}

/**
 * A form whose one button records something and sends it; the fields keep what was typed when that is refused. They
 * scroll above a bar with the button, so that nothing a field has to say moves it from under the pointer.
 */
export function StartForm(props: StartFormProps) {
  const { onSubmit, button, pending, off, problem, errors, children, aside, tall = false } = props;
  const id = useId();
  const problemBox = useRef<HTMLDivElement>(null);
  const problems = errors.filter((error) => error !== undefined).join(' ');
  useEffect(() => {
    if (problems !== '') announce(problems);
  }, [problems]);
  useEffect(() => {
    if (problem !== null) problemBox.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onSubmit(event);
  };
  return (
    <>
      <div className={tall ? 'page-body form-body' : 'page-body form-body form-short'}>
        <div className="pad">
          <div className="cols">
            <form className="form" id={id} noValidate onSubmit={submit}>
              {children}
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
        <Button variant="primary" type="submit" form={id} disabledReason={off} aria-busy={pending}>
          {button}
        </Button>
        <output className="small sub">{pending && 'Checking for the same'}</output>
      </div>
    </>
  );
}
