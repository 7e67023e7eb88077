import { ChevronDown, X } from 'lucide-react';
import {
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { visible } from '#src/shared/text.ts';

interface FilterControlProps {
  label: string;
  /** In words; the default is said too. */
  value: string | ReactElement;
  detail?: string | undefined;
  set: boolean;
  /** Makes it a plain button of a menu. */
  icon?: ReactNode;
  /** Absent: nothing of it is ever cleared. */
  onClear?: (() => void) | undefined;
  children: ReactNode;
}

/** The key that opens a control, as its tip says. */
export const KeyContext = createContext<string | undefined>(undefined);

interface Around {
  close: () => void;
  early: RefObject<string>;
}

const AroundContext = createContext<Around>({ close: () => undefined, early: { current: '' } });

/** Closes the filter around a part and gives the focus back to its button. */
export function useCloseFilter(): () => void {
  return use(AroundContext).close;
}

/** What was typed before the part with a field was loaded. */
export function useEarlyText(): RefObject<string> {
  return use(AroundContext).early;
}

/** Between what opened and the edge of the window, in pixels. */
const EDGE = 8;

/** "Label value", opening what changes it; a filter that is set can be cleared beside it. */
export function FilterControl({ label, value, detail, set, icon, onClear, children }: FilterControlProps) {
  const keys = use(KeyContext);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const pop = useRef<HTMLDivElement>(null);
  const id = useId();
  // As far to the left as the window asks for, however wide what is loaded into it makes it.
  useLayoutEffect(() => {
    const box = pop.current;
    if (!open || !box) return undefined;
    const keepIn = new ResizeObserver(() => {
      box.style.left = '0';
      const over = box.getBoundingClientRect().right - document.documentElement.clientWidth + EDGE;
      if (over > 0) box.style.left = `${-over}px`;
    });
    keepIn.observe(box);
    keepIn.observe(document.documentElement);
    return () => keepIn.disconnect();
  }, [open]);
  const early = useRef('');
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  const around = useMemo(() => ({ close, early }), [close]);
  // Before it is seen: whoever sees it may press Escape.
  useLayoutEffect(() => {
    const element = place.current;
    if (!open || !element) return undefined;
    const isOutside = (target: EventTarget | null) => target instanceof Node && !element.contains(target);
    const press = (event: PointerEvent) => isOutside(event.target) && setOpen(false);
    // The focus going elsewhere closes it; going nowhere (a click on plain text) does not.
    const leave = (event: FocusEvent) => isOutside(event.relatedTarget) && setOpen(false);
    early.current = '';
    const key = (event: KeyboardEvent) => {
      const isText = event.key.trim().length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isText && event.target === button.current) early.current += event.key;
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
    };
    const over = new AbortController();
    document.addEventListener('pointerdown', press, { signal: over.signal });
    element.addEventListener('focusout', leave, { signal: over.signal });
    element.addEventListener('keydown', key, { signal: over.signal });
    return () => over.abort();
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
        {value !== '' && (
          <bdi className="v" translate={set ? 'no' : undefined}>
            {typeof value === 'string' ? visible(value.slice(0, 120)) : value}
          </bdi>
        )}
        {detail && <span className="l">{detail}</span>}
        {!set && !icon && <ChevronDown className="icon-s" aria-hidden />}
      </button>
      {set && <ClearButton label={label} onClear={onClear} />}
      {open && (
        <div
          className="filter-pop"
          id={id}
          ref={pop}
          role="group"
          aria-label={icon ? label : `Filter by ${label.toLowerCase()}`}
        >
          <AroundContext value={around}>{children}</AroundContext>
        </div>
      )}
    </div>
  );
}

function ClearButton({ label, onClear }: Pick<FilterControlProps, 'label' | 'onClear'>) {
  const words = `Clear ${label.toLowerCase()}`;
  return (
    <button
      type="button"
      className="filter-clear"
      aria-label={words}
      data-tip={words}
      onClick={({ currentTarget: { parentElement } }) => {
        onClear?.();
        parentElement?.querySelector('button')?.focus();
      }}
    >
      <X className="icon-s" aria-hidden />
    </button>
  );
}

export const ANY = { value: undefined, label: 'any' } as const;

interface ChoicesProps<T> {
  choices: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
  label?: string;
  below?: true;
  active?: T;
}

export function Choices<T extends string | undefined>({
  choices,
  value,
  onChange,
  label,
  below,
  active,
}: ChoicesProps<T>) {
  const close = useCloseFilter();
  return (
    <div
      className={below ? 'filter-choices' : 'filter-choices filter-choices-alone'}
      role={label && 'group'}
      aria-label={label}
    >
      {choices.map((choice) => (
        <button
          type="button"
          key={choice.value ?? ''}
          aria-pressed={choice.value === value}
          data-active={(active !== undefined && choice.value === active) || undefined}
          onClick={() => {
            onChange(choice.value);
            close();
          }}
        >
          <bdi>{choice.label}</bdi>
        </button>
      ))}
    </div>
  );
}

interface ChoiceFilterProps<T extends string> {
  label: string;
  value: T | undefined;
  choices: readonly { value: T; label: string }[];
  onChange: (value: T | undefined) => void;
}

export function ChoiceFilter<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  const shown = choices.find((choice) => choice.value === value)?.label ?? 'any';
  return (
    <FilterControl label={label} value={shown} set={value !== undefined} onClear={() => onChange(undefined)}>
      <Choices choices={[ANY, ...choices]} value={value} onChange={(next) => next !== value && onChange(next)} />
    </FilterControl>
  );
}

interface FilterToggleProps {
  label: string;
  value: string;
  icon?: ReactNode;
  set: boolean;
  onChange: (set: boolean) => void;
}

export function FilterToggle({ label, value, icon, set, onChange }: FilterToggleProps) {
  return (
    <div className={set ? 'filter set' : 'filter'}>
      <button type="button" className="filter-main" onClick={() => onChange(!set)}>
        <span className="l">{label}</span> <span className="v">{value}</span>
        {icon}
      </button>
      {set && <ClearButton label={label} onClear={() => onChange(false)} />}
    </div>
  );
}
