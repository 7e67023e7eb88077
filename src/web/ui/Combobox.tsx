import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { searchForm, visible } from '#src/shared/text.ts';
import { Field, type FieldProps, inputClass } from './Field.tsx';

export interface Option {
  /** What is picked; in a field of free text also what then stands in it. */
  value: string;
  label?: ReactNode;
  detail?: ReactNode;
  /** Other words that find it. */
  terms?: string;
}

interface ComboboxProps extends Omit<FieldProps, 'children'> {
  text: string;
  onText: (text: string) => void;
  /** All there are: what was typed narrows them, unless `found` says that this is done. */
  options: readonly Option[];
  found?: boolean;
  /** Any text may stand in it, taken by a last row that says so, or by leaving the field. */
  free?: boolean;
  onPick: (value: string) => void;
  onLeave?: () => void;
  onPaste?: (event: React.ClipboardEvent<HTMLInputElement>) => void;
  foot?: string | undefined;
  nothing?: string;
  readOnly?: boolean;
  name?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** A field that offers what fits the text typed: the first is highlighted, Enter takes it; arrows, Escape, or the mouse. */
export function Combobox(props: ComboboxProps) {
  const { text, onText, options, found = false, free = false, onPick, onLeave, onPaste, ...rest } = props;
  const { foot, nothing = 'No match', readOnly = false, name, inputRef, ...field } = rest;
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  // Opened without typing, it shows everything, whatever stands in the field.
  const [typed, setTyped] = useState(false);
  const word = typed ? text.trim() : '';
  const fitting = found ? options : fittingOptions(options, word);
  // There is nothing left to choose.
  const isTaken = free && word !== '' && fitting.some(({ value }) => value === word);
  const exact = { value: word, label: `Use “${visible(word.slice(0, 60))}” exactly` };
  const rows: readonly Option[] = free && word !== '' ? [...fitting, exact] : fitting;
  const at = Math.min(active, rows.length - 1);
  const isOpen = open && !isTaken && !readOnly;
  const isShown = isOpen && rows.length > 0;
  const optionId = (index: number) => `${listId}-${index}`;

  const show = (index: number) => {
    setOpen(true);
    setActive(index);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
    setTyped(false);
  };
  const pick = (option: Option | undefined) => {
    if (!option) return;
    close();
    onPick(option.value);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (rows.length > 0) show(open ? (at + step + rows.length) % rows.length : step === 1 ? 0 : rows.length - 1);
    } else if (event.key === 'Enter' && isOpen && (at >= 0 || !free)) {
      // It never submits the form under an open list.
      event.preventDefault();
      pick(rows[at]);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block">
          <span aria-live="polite" className="vh">
            {isOpen && (fitting.length === 0 ? nothing : `${fitting.length} found`)}
          </span>
          <input
            {...control}
            className={`${inputClass} pr-9`}
            ref={inputRef}
            name={name}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={isShown ? listId : undefined}
            aria-activedescendant={isShown && at >= 0 ? optionId(at) : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            readOnly={readOnly}
            value={text}
            onChange={(event) => {
              onText(event.target.value);
              setTyped(true);
              show(0);
            }}
            onPaste={onPaste}
            onClick={() => setOpen(true)}
            onBlur={() => {
              // The name of an option, typed as it reads, is that option.
              const named = fitting.filter(({ label }) => label === word);
              if (named.length === 1) pick(named[0]);
              close();
              onLeave?.();
            }}
            onKeyDown={press}
          />
          {!readOnly && (
            <ChevronDown
              className="pointer-events-none absolute top-4.5 right-2 -translate-y-1/2 text-ink-2 narrow:top-5.5"
              aria-hidden
            />
          )}
          {isOpen && (isShown || !free) && (
            <div className="absolute inset-x-0 top-[calc(100%+2px)] z-6 rounded-pop border border-rule-strong bg-sheet shadow-pop">
              {isShown && (
                <div id={listId} role="listbox" className="max-h-64 overflow-auto" aria-label="Suggestions">
                  {rows.map((option, index) => (
                    <Choice
                      key={option === exact ? 'exact' : option.value}
                      id={optionId(index)}
                      option={option}
                      isActive={index === at}
                      onPick={() => pick(option)}
                    />
                  ))}
                </div>
              )}
              {rows.length === 0 && <p className="small sub px-3 py-2">{nothing}</p>}
              {rows.length > 0 && foot !== undefined && <p className="small sub px-3 py-2">{foot}</p>}
            </div>
          )}
        </span>
      )}
    </Field>
  );
}

/** Best first: those that begin with it, then those that hold it. */
function fittingOptions(options: readonly Option[], word: string): readonly Option[] {
  const needle = searchForm(word);
  if (needle === '') return options;
  const textOf = ({ value, label, terms = '' }: Option) =>
    searchForm(`${value} ${typeof label === 'string' ? label : ''} ${terms}`);
  const begins = (option: Option) =>
    textOf(option)
      .split(/\s+/)
      .some((part) => part.startsWith(needle));
  const holding = options.filter((option) => textOf(option).includes(needle));
  return [...holding.filter(begins), ...holding.filter((option) => !begins(option))];
}

interface ChoiceProps {
  id: string;
  option: Option;
  isActive: boolean;
  onPick: () => void;
}

/** Keys reach it through the field, which keeps the focus. */
function Choice({ id, option: { value, label = visible(value), detail }, isActive, onPick }: ChoiceProps) {
  return (
    <div
      id={id}
      className={`flex cursor-pointer flex-wrap justify-between gap-x-3 border-l-4 px-3 py-2 wrap-anywhere ${
        isActive ? 'border-accent bg-selected' : 'border-transparent hover:bg-hover'
      }`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      ref={isActive ? (item) => item?.scrollIntoView({ block: 'nearest' }) : undefined}
      onMouseDown={(event) => event.preventDefault()}
      onMouseUp={onPick}
    >
      <span>
        <bdi translate="no">{label}</bdi>
      </span>
      {detail !== undefined && <span className="small sub">{detail}</span>}
    </div>
  );
}
