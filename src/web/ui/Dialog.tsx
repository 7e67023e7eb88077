import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { LiveRegion } from './announce.tsx';
import { handOnFocus } from './focus.ts';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** Utilities of another width. */
  wide?: string;
}

/** A native modal dialog: the browser keeps the focus inside and gives Escape. */
export function Dialog({ open, onClose, title, children, actions, wide = '' }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(ref, open);
  return (
    <dialog ref={ref} className={`dialog ${wide}`} aria-labelledby={titleId} onClose={onClose}>
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
 * Shows a dialog while `open`. It is closed before it leaves the page as well, so that the focus goes back to where it
 * was; where that is gone, it is handed on.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>, open: boolean): void {
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog || !open) return undefined;
    if (!dialog.open) dialog.showModal();
    // What it focused may stand below much that is to be read first.
    if (dialog.scrollTop > 0) dialog.querySelector('h2')?.focus();
    return () => {
      const around = dialog.closest<HTMLElement>('[data-takes-focus]');
      if (dialog.open) dialog.close();
      // Later, since what opened it may go together with it, after the focus has gone back there.
      queueMicrotask(() => {
        if (document.activeElement === document.body) handOnFocus(around?.isConnected ? around : dialog);
      });
    };
  }, [ref, open]);
}
