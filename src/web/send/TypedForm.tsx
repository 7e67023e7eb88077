import { type ReactNode, useLayoutEffect } from 'react';
import { useForm } from 'react-hook-form';
import { actionErrorMessage } from '#src/web/api/operations/operations.ts';
import type { OperationCommand } from '#src/web/api/operations/useOperations.ts';
import { ruledName } from '#src/shared/fieldRules.ts';
import { focusField, schemaResolver, FormText } from '#src/web/send/FormFields.tsx';
import { Button } from '#src/web/ui/Button.tsx';

export interface TypedFormProps {
  /** Explains the consequences. */
  children: ReactNode;
  label: string;
  help?: string;
  long?: boolean;
  /** The error message for a typed text; null if it is valid. */
  validate: (words: string) => string | null;
  command: OperationCommand<string>;
  submit: string;
  busy: string;
  /** Label of the button that closes the form. */
  cancelLabel?: string;
  onLeave: () => void;
}

const REASON_LENGTH_MAX = 2_000;

/** A field for the text that a person must type to end an operation, and the button that ends it. */
export function TypedForm({ children, onLeave, ...props }: TypedFormProps) {
  const { label, help, long = false, validate, command, submit, busy, cancelLabel = 'Leave it open' } = props;
  const form = useForm({
    defaultValues: { words: '' },
    resolver: schemaResolver<{ words: string }>(() => ({ words: ruledName((words) => validate(words) ?? true) })),
  });
  // The dialog may have opened before this chunk was loaded, with nothing to focus.
  useLayoutEffect(() => focusField('words'), []);
  const save = ({ words }: { words: string }) => {
    if (command.isPending) return;
    command.mutate(words, {
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
        {...(long ? { rows: 3, maxLength: REASON_LENGTH_MAX } : { maxLength: 80, exact: true })}
      />
      <div className="acts-row">
        <Button type="submit" variant="danger" disabledReason={command.isPending ? busy : undefined}>
          {submit}
        </Button>
        <Button variant="quiet" onClick={onLeave}>
          {cancelLabel}
        </Button>
      </div>
    </form>
  );
}
