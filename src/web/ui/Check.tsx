import { type ReactNode, useId } from 'react';

interface CheckProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  /** The id of what is confirmed, or of the error. */
  describedBy?: string | undefined;
  isInvalid?: boolean;
  /** The label. */
  children: ReactNode;
}

/** A checkbox with its label. */
export function Check({ isChecked, onChange, describedBy, isInvalid = false, children }: CheckProps) {
  const id = useId();
  return (
    <label className="check" htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={describedBy}
      />
      <span>{children}</span>
    </label>
  );
}
