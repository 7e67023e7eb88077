import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';
import { emailSchema } from '#src/shared/contract/peopleContract.ts';
import { focusField, FormText, schemaResolver, useSubmit } from '#src/web/send/FormFields.tsx';
import { useReturnFocus } from '#src/web/ui/focus.ts';

/** Empty: no address. */
const EMAIL_FIELD = v.union(
  [v.pipe(v.string(), v.trim(), v.literal('')), emailSchema],
  ({ issues }) => issues?.findLast(({ type }) => type !== 'literal')?.message ?? '',
);

interface EmailFormProps {
  email: string | null;
  label: string;
  help: string;
  /** The person opened the form, so it takes the focus. */
  takesFocus?: boolean;
  /** The caller shows its errors. */
  onSave: (email: string | null) => Promise<unknown>;
  /** The submit button and any other buttons. */
  children: ReactNode;
}

/** Where a person's notices go. */
export function EmailForm({ email, label, help, takesFocus = false, onSave, children }: EmailFormProps) {
  const form = useForm({
    // Typed text stays until someone else changes the address.
    values: { email: email ?? '' },
    shouldFocusError: false,
    resolver: schemaResolver<{ email: string }>(() => ({ email: EMAIL_FIELD })),
  });
  const part = useRef<HTMLFormElement>(null);
  useReturnFocus(part);
  useLayoutEffect(() => {
    if (takesFocus) focusField('email');
  }, [takesFocus]);
  const submit = useSubmit(form, ({ email: typed }) => onSave(typed === '' ? null : typed));
  return (
    <form className="form" noValidate onSubmit={submit} ref={part}>
      <FormText
        label={label}
        hint="(optional)"
        help={help}
        control={form.control}
        name="email"
        exact
        inputMode="email"
      />
      <div className="acts-row items-start">{children}</div>
    </form>
  );
}
