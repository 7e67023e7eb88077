import { type ReactNode, useEffect, useId, useRef } from 'react';
import { LiveRegion } from './announce.tsx';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

/** A native modal dialog: the browser keeps the focus inside and gives Escape. */
export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  return (
    <dialog ref={ref} className="dialog" aria-labelledby={titleId} onClose={onClose}>
      {open && (
        <>
          <LiveRegion />
          <h2 id={titleId}>{title}</h2>
          <div>{children}</div>
          {actions && <div className="acts-row">{actions}</div>}
        </>
      )}
    </dialog>
  );
}
