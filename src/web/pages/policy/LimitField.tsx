import { Field, inputClass } from '#src/web/ui/Field.tsx';

interface LimitFieldProps {
  label: string;
  /** The unit, shown in the field. */
  suffix?: string;
  text: string;
  error: string | undefined;
  onText: (text: string) => void;
}

/** An amount or a number. */
export function LimitField({ label, suffix, text, error, onText }: LimitFieldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <span className={suffix === undefined ? undefined : 'affix'} translate="no">
          <input
            {...control}
            className={suffix === undefined ? `${inputClass} text-right text-lead` : inputClass}
            inputMode="decimal"
            autoComplete="off"
            value={text}
            onChange={({ target }) => onText(target.value)}
          />
          {suffix !== undefined && (
            <span className="suffix" aria-hidden>
              {suffix}
            </span>
          )}
        </span>
      )}
    </Field>
  );
}
