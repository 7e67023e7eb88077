import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** A button of one icon; its label is its name and its tooltip. */
export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type="button" className={`icon-btn ${className ?? ''}`} aria-label={label} data-tip={label}>
      {children}
    </button>
  );
}
