import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, inputClass } from '#src/ui/Field.tsx';

interface AssetAmountProps {
  label: string;
  error: string | undefined;
  /** What its form knows the field by. */
  field: UseFormRegisterReturn;
  asset: string;
}

/** An amount with its asset behind it. */
export function AssetAmount({ label, error, field, asset }: AssetAmountProps) {
  return (
    <Field label={label} required error={error}>
      {(control) => (
        <span className="affix [&_.in]:text-left [&_.in]:text-body">
          <input {...field} {...control} className={inputClass} inputMode="decimal" autoComplete="off" />
          <span className="suffix" aria-hidden>
            {asset.trim().slice(0, 6)}
          </span>
        </span>
      )}
    </Field>
  );
}
