import { type ComponentProps, useId } from 'react';
import { Field, type FieldProps, inputClass } from './Field.tsx';

interface SuggestFieldProps extends Omit<FieldProps, 'children'> {
  suggestions: readonly { value: string; label: string }[];
  input: ComponentProps<'input'>;
}

/** A text field that suggests and takes any text. */
export function SuggestField({ suggestions, input, ...field }: SuggestFieldProps) {
  const listId = useId();
  return (
    <Field {...field}>
      {(control) => (
        <>
          <input
            {...input}
            {...control}
            className={inputClass}
            list={listId}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <datalist id={listId}>
            {suggestions.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
