import { ChevronDown, X } from 'lucide-react';
import {
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { revealHidden } from '#src/shared/text.ts';
import { deferred } from '#src/web/ui/useLoaded.ts';

interface FilterControlProps {
  label: string;
  value: string | ReactElement;
  detail?: string | undefined;
  set: boolean;
  /** Draws the control as a plain menu button. */
  icon?: ReactNode;
  onClear?: (() => void) | undefined;
  children: ReactNode;
}

/** The keyboard shortcut that opens a filter, shown in its tooltip. */
export const ShortcutContext = createContext<string | undefined>(undefined);

interface OpenFilter {
  close: () => void;
  /** Text typed before the field of the open filter was loaded. */
  earlyText: RefObject<string>;
}

const FilterContext = createContext<OpenFilter>({ close: () => undefined, earlyText: { current: '' } });

/** Closes the open filter and gives the focus back to its button. */
export function useCloseFilter(): () => void {
  return use(FilterContext).close;
}

export function useEarlyText(): RefObject<string> {
  return use(FilterContext).earlyText;
}

const FilterPopover = deferred(() => import('./FilterPopover.tsx').then((loaded) => loaded.FilterPopover));

/** A button "Label value" that opens the filter's choices, and a button to clear it if it is set. */
export function FilterControl({ label, value, detail, set, icon, onClear, children }: FilterControlProps) {
  const keys = use(ShortcutContext);
  const [open, setOpen] = useState(false);
  const filter = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const earlyText = useRef('');
  const id = useId();
  const context = useMemo(() => ({ close: () => setOpen(false), earlyText }), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.trim().length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isText && !(event.target instanceof HTMLInputElement)) earlyText.current += event.key;
    if (event.key !== 'Escape' || !open) return;
    // Escape must not also close a detail beside the list.
    event.stopPropagation();
    setOpen(false);
  };
  return (
    <div className={set ? 'filter set' : 'filter'} ref={filter}>
      <button
        type="button"
        className={icon ? 'filter-menu btn btn-quiet' : 'filter-main'}
        ref={button}
        data-keys={keys}
        data-tip={icon ? label : undefined}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onKeyDown={onKeyDown}
        onClick={() => {
          earlyText.current = '';
          setOpen(!open);
        }}
      >
        {icon}
        <span className="l">{label}</span>{' '}
        {value !== '' && (
          <bdi className="v" translate={set ? 'no' : undefined}>
            {typeof value === 'string' ? revealHidden(value.slice(0, 120)) : value}
          </bdi>
        )}
        {detail && <span className="l">{detail}</span>}
        {!set && !icon && <ChevronDown className="icon-s" aria-hidden />}
      </button>
      {set && <ClearButton label={label} onClear={onClear} />}
      {open && (
        <FilterPopover
          id={id}
          label={icon ? label : `Filter by ${label.toLowerCase()}`}
          filter={filter}
          button={button}
          onKeyDown={onKeyDown}
          onClose={() => setOpen(false)}
        >
          <FilterContext value={context}>{children}</FilterContext>
        </FilterPopover>
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
      role="group"
      aria-label={label}
      onKeyDown={moveFocus}
      ref={takeFocus}
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

/** Moves the focus from the popover to choices that load after it opened. */
function takeFocus(choices: HTMLElement | null) {
  const { activeElement } = document;
  if (choices === null || activeElement === document.body || activeElement?.contains(choices) !== true) return;
  const [first] = choices.getElementsByTagName('button');
  (choices.querySelector<HTMLElement>('[aria-pressed="true"]') ?? first)?.focus();
}

/** The arrow keys, Home and End move between the choices, as in a menu. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  buttons.at(next % buttons.length)?.focus();
}

interface ChoiceFilterProps<T extends string> {
  label: string;
  value: T | undefined;
  choices: readonly { value: T; label: string }[];
  onChange: (value: T | undefined) => void;
}

export function ChoiceFilter<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  const valueLabel = choices.find((choice) => choice.value === value)?.label ?? 'any';
  return (
    <FilterControl label={label} value={valueLabel} set={value !== undefined} onClear={() => onChange(undefined)}>
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
