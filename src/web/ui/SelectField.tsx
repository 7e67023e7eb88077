import { Field, inputClass } from './Field.tsx';

interface SelectFieldProps<T extends string | number> {
  label: string;
  help?: string | undefined;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
}

export function SelectField<T extends string | number>({ label, help, value, options, onChange }: SelectFieldProps<T>) {
  return (
    <Field label={label} help={help}>
      {(field) => (
        <select
          {...field}
          className={`${inputClass} px-2`}
          value={value}
          onChange={({ target }) => {
            const chosen = options[target.selectedIndex];
            if (chosen) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
