import { type ReactNode, type RefObject, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { LiveRegion } from './announce.tsx';
import { handOnFocus } from './focus.ts';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** Utility classes for another width. */
  wide?: string;
}

/** A native modal dialog: the browser keeps the focus inside and handles Escape. */
export function Dialog({ open, onClose, title, children, actions, wide = '' }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(ref, open);
  const close = (event: SyntheticEvent) => {
    // React lets the event bubble, which would also close a dialog around this one.
    event.stopPropagation();
    onClose();
  };
  return (
    <dialog ref={ref} className={`dialog ${wide}`} aria-labelledby={titleId} onClose={close}>
      {open && (
        <>
          <h2 id={titleId} tabIndex={-1}>
            {title}
          </h2>
          <div>{children}</div>
          {actions && <div className="acts-row">{actions}</div>}
          <LiveRegion />
        </>
      )}
    </dialog>
  );
}

/**
 * Shows a dialog while `open`. Also closes it before it is unmounted, so that the browser returns the focus. If the
 * element that had it is gone, the focus goes to the nearest `data-takes-focus`.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>, open: boolean): void {
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog || !open) return undefined;
    if (!dialog.open) dialog.showModal();
    // The focused field may be far below the first text.
    if (dialog.scrollTop > 0) dialog.querySelector('h2')?.focus();
    return () => {
      const around = dialog.closest<HTMLElement>('[data-takes-focus]');
      if (dialog.open) dialog.close();
      // Deferred, because the button that opened the dialog may be removed together with it.
      queueMicrotask(() => {
        if (document.activeElement === document.body) handOnFocus(around?.isConnected ? around : dialog);
      });
    };
  }, [ref, open]);
}
