import { type Control, type FieldPath, useController } from 'react-hook-form';
import { Combobox, type Option } from '#src/ui/Combobox.tsx';
import type { FieldProps } from '#src/ui/Field.tsx';

interface FormComboboxProps<Values extends Record<string, string>> extends Omit<FieldProps, 'children' | 'error'> {
  control: Control<Values>;
  name: FieldPath<Values>;
  options: readonly Option[];
  readOnly?: boolean;
  /** The text became another, typed or picked. */
  onChanged?: () => void;
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
