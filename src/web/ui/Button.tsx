import {
  type ButtonHTMLAttributes,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useId,
  useRef,
} from 'react';
import { useReturnFocus } from './focus.ts';

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'plain', size?: 'small'): string {
  return ['btn', variant === 'plain' ? '' : `btn-${variant}`, size === 'small' ? 'btn-small' : '']
    .filter(Boolean)
    .join(' ');
}

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  variant?: ButtonVariant;
  size?: 'small';
  /** Disables the button, which stays visible and focusable, with the reason beside it. */
  disabledReason?: string | undefined;
  /** The reason is only for screen readers, because the page shows it elsewhere. */
  reasonHidden?: boolean;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = 'plain',
  size,
  disabledReason,
  reasonHidden = false,
  icon,
  className,
  onClick,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const off = disabledReason !== undefined;
  const pressed = useRef<DOMRect>(null);
  const wrapper = useRef<HTMLSpanElement>(null);
  useReturnFocus(wrapper);
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    const isLeft = event.detail > 0 && pressed.current !== null && !isIn(pressed.current, event);
    pressed.current = null;
    // preventDefault also keeps a disabled submit button from submitting by Enter.
    if (off || isLeft) event.preventDefault();
    else onClick?.(event);
  };
  // New data may move the button away between press and release; the click must still count.
  const press = (event: PointerEvent<HTMLButtonElement>) => {
    pressed.current = event.currentTarget.getBoundingClientRect();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  // The same element in both cases, so that a focused button keeps the focus when it is disabled.
  return (
    <span className={off ? 'btn-why' : 'btn-on'} ref={wrapper}>
      <button
        {...rest}
        type={type === 'submit' ? 'submit' : 'button'}
        onPointerDown={press}
        // A field's error on blur would move the button away between press and release.
        onMouseDown={type === 'submit' ? (event) => event.preventDefault() : rest.onMouseDown}
        className={`${buttonClass(variant, size)} ${className ?? ''}`}
        onClick={click}
        aria-disabled={off || undefined}
        aria-describedby={off ? reasonId : rest['aria-describedby']}
      >
        {icon}
        {children}
      </button>
      {off && (
        <span id={reasonId} className={reasonHidden ? 'vh' : 'why'}>
          {disabledReason}
        </span>
      )}
    </span>
  );
}

function isIn({ left, right, top, bottom }: DOMRect, { clientX: x, clientY: y }: MouseEvent): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  label: string;
  children: ReactNode;
}

export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  const own = useRef<HTMLButtonElement>(null);
  useReturnFocus(own);
  return (
    <button
      {...rest}
      ref={own}
      type="button"
      className={`icon-btn ${className ?? ''}`}
      aria-label={label}
      data-tip={label}
    >
      {children}
    </button>
  );
}
