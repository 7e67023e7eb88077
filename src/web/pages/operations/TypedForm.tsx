import { type ReactNode, useLayoutEffect } from 'react';
import { useForm } from 'react-hook-form';
import { actionErrorMessage } from '#src/web/api/operations/operations.ts';
import type { Act } from '#src/web/api/operations/useOperations.ts';
import { ruledName } from '#src/shared/fieldRules.ts';
import { focusField, schemaResolver, FormText } from '#src/web/send/FormFields.tsx';
import { Button } from '#src/web/ui/Button.tsx';

export interface TypedFormProps {
  /** What it means, before anything is typed. */
  children: ReactNode;
  label: string;
  help?: string;
  long?: boolean;
  /** What is wrong with what was typed; null: nothing. */
  faultIn: (words: string) => string | null;
  act: Act<string>;
  submit: string;
  busy: string;
  onLeave: () => void;
}

const MOST_CHARACTERS = 2_000;

/** What a person types to end an operation, and the button that does it. */
export function TypedForm({ children, onLeave, ...props }: TypedFormProps) {
  const { label, help, long = false, faultIn, act, submit, busy } = props;
  const form = useForm({
    defaultValues: { words: '' },
    resolver: schemaResolver<{ words: string }>(() => ({ words: ruledName((words) => faultIn(words) ?? true) })),
  });
  // Its dialog may have opened before this was read, with nothing in it to take the focus.
  useLayoutEffect(() => focusField('words'), []);
  const save = ({ words }: { words: string }) => {
    if (act.isPending) return;
    act.mutate(words, {
      onSuccess: onLeave,
      onError: (error) => form.setError('words', { message: actionErrorMessage(error) }),
    });
  };
  return (
    <form className="form" onSubmit={(event) => void form.handleSubmit(save)(event)} noValidate>
      {children}
      <FormText
        label={label}
        help={help}
        required
        control={form.control}
        name="words"
        {...(long ? { rows: 3, maxLength: MOST_CHARACTERS } : { maxLength: 80, exact: true })}
      />
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
