import { type FormEvent, type ReactNode, useState } from 'react';
import type { Act } from '#src/api/useOperations.ts';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';

interface TypedDialogProps extends FormProps {
  /** The button that opens it. */
  opener: string;
  /** Why it cannot be opened now. */
  disabledReason?: string | undefined;
  title: string;
}

interface FormProps {
  /** What it means, before anything is typed. */
  children: ReactNode;
  label: string;
  help?: string;
  /** A longer text, in several lines. */
  long?: boolean;
  /** What is wrong with what was typed; null: nothing. */
  faultIn: (words: string) => string | null;
  act: Act<string>;
  submit: string;
  busy: string;
  /** Goes before the reason why it did not happen: "Not closed." */
  failed: string;
}

/** A button and its dialog, in which a person types what ends the operation. */
export function TypedDialog({ opener, disabledReason, title, ...form }: TypedDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button disabledReason={disabledReason} onClick={() => setOpen(true)} aria-haspopup="dialog">
        {opener}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={title}>
        <TypedForm {...form} onLeave={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const MOST_CHARACTERS = 2_000;

function TypedForm({ children, onLeave, ...props }: FormProps & { onLeave: () => void }) {
  const { label, help, long = false, faultIn, act, submit, busy, failed } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('words');
    const words = typeof typed === 'string' ? typed.trim() : '';
    const fault = faultIn(words);
    if (fault !== null) {
      setProblem(fault);
      event.currentTarget.querySelector<HTMLElement>('[name="words"]')?.focus();
      return;
    }
    if (act.isPending) return;
    act.mutate(words, {
      onSuccess: onLeave,
      onError: (error) => setProblem(`${failed} ${error.message}`),
    });
  };
  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      {children}
      <Field label={label} help={help} error={problem}>
        {(control) => {
          const given = { ...control, className: inputClass, name: 'words', required: true, autoComplete: 'off' };
          return long ? (
            <textarea {...given} rows={3} maxLength={MOST_CHARACTERS} ref={focusOnce} />
          ) : (
            <input {...given} maxLength={80} autoCapitalize="off" spellCheck={false} ref={focusOnce} />
          );
        }}
      </Field>
      <div className="acts-row">
        <Button type="submit" variant="danger" disabledReason={act.isPending ? busy : undefined}>
          {submit}
        </Button>
        <Button variant="quiet" onClick={onLeave}>
          Leave it open
        </Button>
      </div>
    </form>
  );
}

function focusOnce(field: HTMLElement | null): void {
  field?.focus();
}
