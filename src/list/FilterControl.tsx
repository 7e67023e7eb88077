import { ChevronDown, X } from 'lucide-react';
import { createContext, type ReactNode, use, useCallback, useEffect, useId, useRef, useState } from 'react';
import { visible } from '#src/lib/text.ts';

interface FilterControlProps {
  label: string;
  /** In words; the default is said too. */
  value: string;
  set: boolean;
  /** Absent: nothing of it is ever cleared. */
  onClear?: () => void;
  /** What opens under the control. */
  children: ReactNode;
}

const CloseContext = createContext<() => void>(() => undefined);

/** Closes the filter around a part and gives the focus back to its button. */
export function useCloseFilter(): () => void {
  return use(CloseContext);
}

/** "Label value", opening what changes it; a filter that is set can be cleared beside it. */
export function FilterControl({ label, value, set, onClear, children }: FilterControlProps) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  useEffect(() => {
    const element = place.current;
    if (!open || !element) return undefined;
    const isOutside = (target: EventTarget | null) => target instanceof Node && !element.contains(target);
    const press = (event: PointerEvent) => isOutside(event.target) && setOpen(false);
    // The focus going elsewhere closes it; going nowhere (a click on plain text) does not.
    const leave = (event: FocusEvent) => isOutside(event.relatedTarget) && setOpen(false);
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', press);
    element.addEventListener('focusout', leave);
    element.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('pointerdown', press);
      element.removeEventListener('focusout', leave);
      element.removeEventListener('keydown', key);
    };
  }, [open]);
  return (
    <div className={set ? 'filter set' : 'filter'} ref={place}>
      <button
        type="button"
        className="filter-main"
        ref={button}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className="l">{label}</span> <bdi className="v">{visible(value.slice(0, 120))}</bdi>
        {!set && <ChevronDown className="icon-s" aria-hidden />}
      </button>
      {set && (
        <button
          type="button"
          className="filter-clear"
          aria-label={`Clear ${label.toLowerCase()}`}
          data-tip={`Clear ${label.toLowerCase()}`}
          onClick={() => {
            onClear?.();
            button.current?.focus();
          }}
        >
          <X className="icon-s" aria-hidden />
        </button>
      )}
      {open && (
        <div className="filter-pop" id={id} role="group" aria-label={`Filter by ${label.toLowerCase()}`}>
          <CloseContext value={close}>{children}</CloseContext>
        </div>
      )}
    </div>
  );
}
