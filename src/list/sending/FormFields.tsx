import type { InputHTMLAttributes } from 'react';
import { type Control, type FieldPath, useController } from 'react-hook-form';
import { Combobox, type Option } from '#src/ui/Combobox.tsx';
import { Field, type FieldProps, inputClass, submitByEnter } from '#src/ui/Field.tsx';

interface FormFieldProps<Values extends Record<string, string>> extends Omit<FieldProps, 'children' | 'error'> {
  control: Control<Values>;
  name: FieldPath<Values>;
  readOnly?: boolean;
  /** The text became another, typed or picked. */
  onChanged?: () => void;
}

interface FormTextProps<Values extends Record<string, string>>
  extends FormFieldProps<Values>, Pick<InputHTMLAttributes<HTMLInputElement>, 'inputMode' | 'maxLength'> {
  rows?: number;
  /** Taken as it is typed: nothing corrects it. */
  exact?: boolean;
  mono?: boolean;
  /** A text without line breaks, in several rows. */
  submitsByEnter?: boolean;
  /** Stands in the field behind what is typed, such as an asset's code. */
  suffix?: string;
}

/** A longer suffix would cover what is typed. */
const LONGEST_SUFFIX = 6;

export function FormText<Values extends Record<string, string>>(props: FormTextProps<Values>) {
  const { control, name, rows, exact, mono, submitsByEnter, suffix, inputMode, onChanged, ...rest } = props;
  const { readOnly, maxLength, ...labels } = rest;
  const { field, fieldState } = useController({ control, name });
  return (
    <Field {...labels} error={fieldState.error?.message}>
      {(described) => {
        const given = {
          ...field,
          ...described,
          readOnly,
          maxLength,
          className: mono ? `${inputClass} in-mono` : inputClass,
          autoComplete: 'off',
          ...((exact || mono) && { autoCapitalize: 'off', spellCheck: false }),
          onChange: (event: unknown) => {
            field.onChange(event);
            onChanged?.();
          },
        };
        if (rows !== undefined)
          return <textarea {...given} rows={rows} onKeyDown={submitsByEnter ? submitByEnter : undefined} />;
        const input = <input {...given} inputMode={inputMode} />;
        if (suffix === undefined) return input;
        return (
          <span className="affix">
            {input}
            {suffix.length <= LONGEST_SUFFIX && <span className="suffix">{suffix}</span>}
          </span>
        );
      }}
    </Field>
  );
}

/** The amount of a form: text, never a number; what it reads as is what is sent. */
export function FormAmount<Values extends Record<string, string>>(
  props: Omit<FormFieldProps<Values>, 'label'> & { suffix: string },
) {
  return <FormText {...props} label="Amount" required exact inputMode="decimal" />;
}

/** The address that a form asks for, and nothing else in it. */
export function FormAddress<Values extends Record<string, string>>(props: FormFieldProps<Values>) {
  return <FormText {...props} required mono rows={2} submitsByEnter />;
}

interface FormComboboxProps<Values extends Record<string, string>> extends FormFieldProps<Values> {
  options: readonly Option[];
  onLeave?: () => void;
}

/** A field of a form that suggests and takes any text. */
export function FormCombobox<Values extends Record<string, string>>(props: FormComboboxProps<Values>) {
  const { control, name, onChanged, onLeave, warning, ...rest } = props;
  const { field, fieldState } = useController({ control, name });
  const change = (text: string) => {
    field.onChange(text);
    onChanged?.();
  };
  return (
    <Combobox
      {...rest}
      free
      name={name}
      inputRef={field.ref}
      text={field.value}
      error={fieldState.error?.message}
      warning={fieldState.error ? undefined : warning}
      onText={change}
      onPick={change}
      onLeave={() => {
        field.onBlur();
        onLeave?.();
      }}
    />
  );
}
