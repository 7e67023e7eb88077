import { ChevronDown, X } from 'lucide-react';
import {
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { visible } from '#src/lib/text.ts';

interface FilterControlProps {
  label: string;
  /** In words; the default is said too. */
  value: string | ReactElement;
  /** More of it, in lighter ink. */
  detail?: string | undefined;
  set: boolean;
  /** Makes it a plain button of a menu. */
  icon?: ReactNode;
  /** Absent: nothing of it is ever cleared. */
  onClear?: () => void;
  /** What opens under the control. */
  children: ReactNode;
}

/** The key that opens a control, as its tip says. */
export const KeyContext = createContext<string | undefined>(undefined);

const CloseContext = createContext<() => void>(() => undefined);

/** Closes the filter around a part and gives the focus back to its button. */
export function useCloseFilter(): () => void {
  return use(CloseContext);
}

/** "Label value", opening what changes it; a filter that is set can be cleared beside it. */
export function FilterControl({ label, value, detail, set, icon, onClear, children }: FilterControlProps) {
  const keys = use(KeyContext);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const pop = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const box = pop.current;
    if (box && box.getBoundingClientRect().right > document.documentElement.clientWidth - 8) box.dataset['end'] = '';
  });
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  // Before it is seen: whoever sees it may press Escape.
  useLayoutEffect(() => {
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
        className={icon ? 'filter-menu btn btn-quiet' : 'filter-main'}
        ref={button}
        data-keys={keys}
        data-tip={icon ? label : undefined}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {icon}
        <span className="l">{label}</span>{' '}
        {value !== '' && <bdi className="v">{typeof value === 'string' ? visible(value.slice(0, 120)) : value}</bdi>}
        {detail && <span className="l">{detail}</span>}
        {!set && !icon && <ChevronDown className="icon-s" aria-hidden />}
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
        <div
          className="filter-pop"
          id={id}
          ref={pop}
          role="group"
          aria-label={icon ? label : `Filter by ${label.toLowerCase()}`}
        >
          <CloseContext value={close}>{children}</CloseContext>
        </div>
      )}
    </div>
  );
}

interface ChoiceFilterProps<T extends string> {
  label: string;
  value: T | undefined;
  choices: readonly { value: T; label: string }[];
  onChange: (value: T | undefined) => void;
}

/** A filter by one of a few words that are all known. */
export function ChoiceFilter<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  const shown = choices.find((choice) => choice.value === value)?.label ?? 'any';
  return (
    <FilterControl label={label} value={shown} set={value !== undefined} onClear={() => onChange(undefined)}>
      <Choices value={value} choices={choices} onChange={onChange} />
    </FilterControl>
  );
}

function Choices<T extends string>({ value, choices, onChange }: Omit<ChoiceFilterProps<T>, 'label'>) {
  const close = useCloseFilter();
  const choose = (next: T | undefined) => {
    if (next !== value) onChange(next);
    close();
  };
  return (
    <div className="filter-choices filter-choices-alone">
      <button type="button" aria-pressed={value === undefined} onClick={() => choose(undefined)}>
        any
      </button>
      {choices.map((choice) => (
        <button
          type="button"
          key={choice.value}
          aria-pressed={choice.value === value}
          onClick={() => choose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}

interface FilterToggleProps {
  label: string;
  /** In words; the default is said too. */
  value: string;
  icon?: ReactNode;
  set: boolean;
  onChange: (set: boolean) => void;
}

/** "Label value", with one other value than the default. */
export function FilterToggle({ label, value, icon, set, onChange }: FilterToggleProps) {
  const toggle = useRef<HTMLButtonElement>(null);
  const clear = `Clear ${label.toLowerCase()}`;
  return (
    <div className={set ? 'filter set' : 'filter'}>
      <button type="button" className="filter-main" ref={toggle} onClick={() => onChange(!set)}>
        <span className="l">{label}</span> <span className="v">{value}</span>
        {icon}
      </button>
      {set && (
        <button
          type="button"
          className="filter-clear"
          aria-label={clear}
          data-tip={clear}
          onClick={() => {
            onChange(false);
            toggle.current?.focus();
          }}
        >
          <X className="icon-s" aria-hidden />
        </button>
      )}
    </div>
  );
}
