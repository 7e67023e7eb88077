import { ChevronDown } from 'lucide-react';
import { Autocomplete } from '@base-ui/react/autocomplete';
import type { BaseUIEvent } from '@base-ui/react/types';
import { type KeyboardEvent, type ReactNode, type Ref, useRef, useState } from 'react';
import { searchForm, revealHidden } from '#src/shared/text.ts';
import { Field, type FieldProps, inputClass } from './Field.tsx';

export interface Option {
  value: string;
  label?: ReactNode;
  detail?: ReactNode;
  /** More words that find this option. */
  terms?: string;
}

interface ComboboxProps extends Omit<FieldProps, 'children'> {
  text: string;
  onText: (text: string) => void;
  options: readonly Option[];
  /** The options are the search result for the text: they are not filtered again. */
  filtered?: boolean;
  /** Any text is a valid value: a last option takes the text as typed, and so does leaving the field. */
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

/** A text field with suggestions. Typing highlights the first match, Enter takes it. */
export function Combobox(props: ComboboxProps) {
  const { text, onText, options, filtered = false, free = false, onPick, onLeave, onPaste, ...rest } = props;
  const { foot, nothing = 'No match', readOnly = false, name, inputRef, ...field } = rest;
  const container = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  // Before the first key press every option is listed, whatever the field holds.
  const [typed, setTyped] = useState(false);
  const word = typed ? text.trim() : '';
  const matches = filtered ? options : matchingOptions(options, word);
  const exact = { value: word, label: `Use “${revealHidden(word.slice(0, 60))}” exactly` };
  const rows = free && word !== '' ? [...matches, exact] : matches;
  const isComplete = free && word !== '' && matches.some(({ value }) => value === word);
  const isOpen = open && !isComplete && !readOnly && (rows.length > 0 || !free);

  const close = () => {
    setOpen(false);
    setTyped(false);
  };
  const pick = (option: Option) => {
    close();
    onPick(option.value);
  };
  const leave = () => {
    // An option's label typed in full picks that option.
    const named = matches.filter(({ label }) => label === word);
    if (named.length === 1 && named[0]) pick(named[0]);
    close();
    onLeave?.();
  };
  const onKeyDown = (event: BaseUIEvent<KeyboardEvent>) => {
    // Base UI would clear a closed field on Escape, and submit the form by Enter under an open list.
    if (event.key === 'Escape') event.preventBaseUIHandler();
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
    if (event.key === 'Enter' && isOpen && !free) event.preventDefault();
  };

  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block" ref={container}>
          <span aria-live="polite" className="vh">
            {isOpen && (matches.length === 0 ? nothing : `${matches.length} found`)}
          </span>
          <Autocomplete.Root
            mode="none"
            items={rows}
            itemToStringValue={({ value }: Option) => value}
            autoHighlight
            openOnInputClick
            readOnly={readOnly}
            value={text}
            onValueChange={(next, { reason }) => {
              if (reason !== 'input-change') return;
              setTyped(true);
              setOpen(true);
              onText(next);
            }}
            open={isOpen}
            onOpenChange={(next) => (next ? setOpen(true) : close())}
          >
            <Autocomplete.Input
              {...control}
              className={`${inputClass} pr-9`}
              ref={inputRef}
              name={name}
              aria-autocomplete="list"
              autoCapitalize="off"
              spellCheck={false}
              onPaste={onPaste}
              onBlur={leave}
              onKeyDown={onKeyDown}
            />
            {!readOnly && (
              <ChevronDown
                className="pointer-events-none absolute top-4.5 right-2 -translate-y-1/2 text-ink-2 narrow:top-5.5"
                aria-hidden
              />
            )}
            {/* No Autocomplete.Popup: while open it hides the rest of the page, labels included, from screen readers. */}
            {isOpen && (
              <Autocomplete.Portal container={container}>
                <Autocomplete.Positioner className="z-6 w-(--anchor-width)" sideOffset={2} align="start">
                  <div className="rounded-pop border border-rule-strong bg-sheet shadow-pop">
                    {rows.length > 0 && (
                      <Autocomplete.List className="max-h-64 overflow-auto" aria-label="Suggestions">
                        {rows.map((option) => (
                          <Suggestion
                            key={option === exact ? 'exact' : option.value}
                            option={option}
                            onPick={() => pick(option)}
                          />
                        ))}
                      </Autocomplete.List>
                    )}
                    {rows.length === 0 && <p className="small sub px-3 py-2">{nothing}</p>}
                    {rows.length > 0 && foot !== undefined && <p className="small sub px-3 py-2">{foot}</p>}
                  </div>
                </Autocomplete.Positioner>
              </Autocomplete.Portal>
            )}
          </Autocomplete.Root>
        </span>
      )}
    </Field>
  );
}

/** Options with a word that starts with the text come first, then those that contain it. */
function matchingOptions(options: readonly Option[], word: string): readonly Option[] {
  const needle = searchForm(word);
  if (needle === '') return options;
  const textOf = ({ value, label, terms = '' }: Option) =>
    searchForm(`${value} ${typeof label === 'string' ? label : ''} ${terms}`);
  const startsWithIt = (option: Option) =>
    textOf(option)
      .split(/\s+/)
      .some((part) => part.startsWith(needle));
  const containing = options.filter((option) => textOf(option).includes(needle));
  return [...containing.filter(startsWithIt), ...containing.filter((option) => !startsWithIt(option))];
}

function Suggestion({ option, onPick }: { option: Option; onPick: () => void }) {
  const { value, label = revealHidden(value), detail } = option;
  return (
    <Autocomplete.Item
      value={option}
      className={({ highlighted }) =>
        `flex cursor-pointer flex-wrap justify-between gap-x-3 border-l-4 px-3 py-2 wrap-anywhere ${
          highlighted ? 'border-accent bg-selected' : 'border-transparent hover:bg-hover'
        }`
      }
      render={(props, { highlighted }) => <div {...props} aria-selected={highlighted} />}
      onClick={onPick}
    >
      <span>
        <bdi translate="no">{label}</bdi>
      </span>
      {detail !== undefined && <span className="small sub">{detail}</span>}
    </Autocomplete.Item>
  );
}
