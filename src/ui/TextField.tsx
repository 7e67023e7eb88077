import type { InputHTMLAttributes } from 'react';
import { Field, type FieldProps, inputClass } from './Field.tsx';

interface TextFieldProps
  extends
    Pick<FieldProps, 'label' | 'hint' | 'error'>,
    Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'inputMode' | 'maxLength' | 'placeholder' | 'spellCheck'> {
  text: string;
  onText: (text: string) => void;
}

/** A line of text that a page keeps itself: what filters and searches what is already there. */
export function TextField({ label, hint, error, text, onText, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          {...input}
          className={inputClass}
          value={text}
          autoComplete="off"
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Field>
  );
}
