import { Field } from './Field.tsx';
import { Select, type SelectProps } from './Select.tsx';

interface SelectFieldProps<T extends string | number> extends Omit<SelectProps<T>, 'label' | 'control' | 'className'> {
  label: string;
  help?: string | undefined;
}

export function SelectField<T extends string | number>({ label, help, ...select }: SelectFieldProps<T>) {
  return (
    <Field label={label} help={help}>
      {({ required: _optional, ...control }) => <Select {...select} control={control} />}
    </Field>
  );
}
