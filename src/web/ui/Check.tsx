import { type ReactNode, useId } from 'react';

interface CheckProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  /** The label. */
  children: ReactNode;
}

/** A checkbox with its label. */
export function Check({ isChecked, onChange, children }: CheckProps) {
  const id = useId();
  return (
    <label className="check" htmlFor={id}>
      <input id={id} type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      <span>{children}</span>
    </label>
  );
}
