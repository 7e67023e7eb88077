import { type FormEvent, type InputHTMLAttributes, useRef } from 'react';
import {
  type Control,
  type FieldPath,
  type UseFormReturn,
  useController,
  type FieldErrors,
  type Resolver,
  type ResolverResult,
} from 'react-hook-form';
import * as v from 'valibot';
import { isObject } from '#src/shared/answers.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Combobox, type Option } from '#src/web/ui/Combobox.tsx';
import { Field, type FieldProps, inputClass, submitByEnter } from '#src/web/ui/Field.tsx';

interface FormFieldProps<Values extends Record<string, string>> extends Omit<FieldProps, 'children' | 'error'> {
  control: Control<Values>;
  name: FieldPath<Values>;
  readOnly?: boolean;
  onChanged?: () => void;
}

interface FormTextProps<Values extends Record<string, string>>
  extends
    FormFieldProps<Values>,
    Pick<InputHTMLAttributes<HTMLInputElement>, 'inputMode' | 'maxLength' | 'placeholder' | 'type'> {
  rows?: number;
  /** No spelling or capitalisation corrections. */
  exact?: boolean;
  mono?: boolean;
  /** Enter submits: for a text without line breaks that is shown in several rows. */
  submitsByEnter?: boolean;
  suffix?: string;
}

/** A longer suffix would cover the text. */
const SUFFIX_LENGTH_MAX = 6;

export function FormText<Values extends Record<string, string>>(props: FormTextProps<Values>) {
  const { control, name, rows, exact, mono, submitsByEnter, suffix, inputMode, onChanged, ...rest } = props;
  const { readOnly, maxLength, placeholder, type, ...labels } = rest;
  const { field, fieldState } = useController({ control, name });
  return (
    <Field {...labels} error={fieldState.error?.message}>
      {(described) => {
        const inputProps = {
          ...field,
          ...described,
          readOnly,
          maxLength,
          placeholder,
          className: mono ? `${inputClass} in-mono` : inputClass,
          autoComplete: 'off',
          ...((exact || mono) && { autoCapitalize: 'off', spellCheck: false }),
          onChange: (event: unknown) => {
            field.onChange(event);
            onChanged?.();
          },
        };
        if (rows !== undefined)
          return <textarea {...inputProps} rows={rows} onKeyDown={submitsByEnter ? submitByEnter : undefined} />;
        const input = <input {...inputProps} type={type} inputMode={inputMode} />;
        if (suffix === undefined) return input;
        return (
          <span className="affix">
            {input}
            {suffix.length <= SUFFIX_LENGTH_MAX && <span className="suffix">{suffix}</span>}
          </span>
        );
      }}
    </Field>
  );
}

/** An amount as text, never a number. */
export function FormAmount<Values extends Record<string, string>>({
  label = 'Amount',
  ...props
}: Omit<FormFieldProps<Values>, 'label'> & { label?: string; suffix: string }) {
  return <FormText {...props} label={label} required exact inputMode="decimal" />;
}

/** A calendar day as "2026-11-30"; empty if there is none. */
export function FormDay<Values extends Record<string, string>>(props: FormFieldProps<Values>) {
  return <FormText {...props} type="date" />;
}

export function FormAddress<Values extends Record<string, string>>(props: FormFieldProps<Values>) {
  return <FormText {...props} required mono rows={2} submitsByEnter />;
}

export function FormCombobox<Values extends Record<string, string>>(
  props: FormFieldProps<Values> & { options: readonly Option[]; onLeave?: () => void },
) {
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

/** Submits a form; announces the errors of its fields and focuses the first. */
export function useSubmit<Values extends Record<string, string>>(
  form: UseFormReturn<Values>,
  save: (values: Values) => unknown,
): (event: FormEvent) => void {
  const busy = useRef(false);
  return (event) => {
    event.preventDefault();
    // Enter held down must not submit once per key repeat while an async check runs.
    if (busy.current) return;
    busy.current = true;
    void form
      .handleSubmit(save, (errors) => {
        announce(messagesIn(errors));
        focusField(Object.keys(errors)[0] ?? '');
      })()
      .finally(() => {
        busy.current = false;
      });
  };
}

/** Focuses a field in a microtask, so before the next key press: react-hook-form's own focus waits for a timer. */
export function focusField(name: string): void {
  queueMicrotask(() => document.querySelector<HTMLElement>(`form [name="${name}"]`)?.focus());
}

interface AddressForm {
  getValues: (name: 'address') => string;
  trigger: (name: 'address') => Promise<boolean>;
}

/** Checks a typed address again: whether it is valid depends on the chain. */
export function recheckAddress({ getValues, trigger }: AddressForm): void {
  if (getValues('address') !== '') void trigger('address');
}

function messagesIn(errors: object): string {
  return Object.values(errors)
    .flatMap((error: unknown) => (isObject(error) && typeof error['message'] === 'string' ? [error['message']] : []))
    .join(' ');
}

export type FieldSchema = v.GenericSchema<string, string> | v.GenericSchemaAsync<string, string>;

/**
 * Checks only the requested fields, because checking another field may have to wait for a list. A field's schema may
 * depend on other fields.
 */
export function schemaResolver<Values extends Record<string, string>>(
  schemasFor: (typed: Values) => Record<keyof Values, FieldSchema>,
): Resolver<Values> {
  return async (typed, _, { names }): Promise<ResolverResult<Values>> => {
    const schemas = schemasFor(typed);
    const values = { ...typed };
    const errors: FieldErrors<Values> = {};
    for (const name of names ?? []) {
      const checked = await v.safeParseAsync(schemas[name], typed[name]);
      if (checked.success) Object.assign(values, { [name]: checked.output });
      else Object.assign(errors, { [name]: { type: 'schema', message: checked.issues[0].message } });
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
}
