import { ChevronDown } from 'lucide-react';
import {
  type ComponentType,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { searchForm, revealHidden } from '#src/shared/text.ts';
import { Field, type FieldControlProps, type FieldProps, inputClass } from './Field.tsx';
import { useLoaded } from './useLoaded.ts';

export interface Option {
  value: string;
  label?: ReactNode;
  detail?: ReactNode;
  /** Further search words for this option. */
  terms?: string;
}

interface ComboboxProps extends Omit<FieldProps, 'children'> {
  text: string;
  onText: (text: string) => void;
  options: readonly Option[];
  /** The options are already the search result for the text. */
  filtered?: boolean;
  /** Any text is a valid value. The last option, or leaving the field, accepts the text as typed. */
  free?: boolean;
  onPick: (value: string) => void;
  onLeave?: () => void;
  onPaste?: (event: React.ClipboardEvent<HTMLInputElement>) => void;
  foot?: string | undefined;
  nothing?: string;
  readOnly?: boolean;
  name?: string;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

/** Start and end of the selection in a focused input. */
type Caret = readonly [number | null, number | null];

export interface ComboboxInputProps extends Pick<ComboboxProps, 'text' | 'foot' | 'inputRef'> {
  /** Attributes and handlers of the input, with and without suggestions. */
  input: InputHTMLAttributes<HTMLInputElement>;
  rows: readonly Option[];
  nothing: string;
  open: boolean;
  /** The text was changed since the suggestions opened. */
  typed: boolean;
  onOpenChange: (open: boolean) => void;
  onType: (text: string) => void;
  onPick: (option: Option) => void;
  /** Where the suggestions are rendered. */
  container: RefObject<HTMLSpanElement | null>;
}

/** A text field with suggestions. Typing highlights the first match, and Enter selects it. */
export function Combobox(props: ComboboxProps) {
  const { text, onText, options, filtered = false, free = false, onPick, onLeave, onPaste, ...rest } = props;
  const { foot, nothing = 'No match', readOnly = false, name, inputRef, ...field } = rest;
  const container = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  // Before the first key press every option is listed, whatever the field contains.
  const [typed, setTyped] = useState(false);
  const word = typed ? text.trim() : '';
  const matches = filtered ? options : matchingOptions(options, word);
  const exact: Option = { value: word, label: `Use “${revealHidden(word.slice(0, 60))}” exactly` };
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
    // Typing an option's full label picks it. Not if it is already selected, as picking it again would reset dependent fields.
    const [named, ...others] = matches.filter(({ label }) => label === word);
    if (named && others.length === 0 && named.value !== text) pick(named);
    close();
    onLeave?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
    // Enter selects a suggestion. If there is none, it must do nothing: the person doesn't expect that it would now send.
    if (event.key === 'Enter') event.preventDefault();
  };
  const inputProps = (control: FieldControlProps): ComboboxInputProps => ({
    input: {
      ...control,
      className: `${inputClass} pr-9`,
      name,
      readOnly,
      'aria-autocomplete': 'list',
      autoCapitalize: 'off',
      spellCheck: false,
      onPaste,
      onBlur: leave,
      onKeyDown,
    },
    inputRef,
    text,
    rows,
    foot,
    nothing,
    open: isOpen,
    typed,
    onOpenChange: (next) => (next ? setOpen(true) : close()),
    onType: (next) => {
      setTyped(true);
      setOpen(true);
      onText(next);
    },
    onPick: pick,
    container,
  });

  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block" ref={container}>
          <span aria-live="polite" className="vh">
            {isOpen && (matches.length === 0 ? nothing : `${matches.length} found`)}
          </span>
          <LazyInput {...inputProps(control)} />
          {!readOnly && (
            <ChevronDown
              className="pointer-events-none absolute top-4.5 right-2 -translate-y-1/2 text-ink-2 narrow:top-5.5"
              aria-hidden
            />
          )}
        </span>
      )}
    </Field>
  );
}

let loadedInput: ComponentType<ComboboxInputProps> | null = null;
const loadInput = async () => (loadedInput ??= (await import('./ComboboxInput.tsx')).ComboboxInput);

/** A plain input until the library for suggestions is loaded, after the first paint. Its input then takes over focus and caret. */
function LazyInput(props: ComboboxInputProps) {
  const { container } = props;
  const caretRef = useRef<Caret>(null);
  const { value: SuggestingInput } = useLoaded(loadInput, loadedInput);
  // Replacing the input would interrupt an input method.
  const [composing, setComposing] = useState(false);
  const isPlain = SuggestingInput === null || composing;
  useLayoutEffect(() => {
    if (isPlain || caretRef.current === null) return;
    const input = container.current?.querySelector('input');
    input?.focus({ preventScroll: true });
    input?.setSelectionRange(...caretRef.current);
    caretRef.current = null;
  }, [isPlain, container]);
  if (isPlain) return <PlainInput {...props} caretRef={caretRef} onComposing={setComposing} />;
  return <SuggestingInput {...props} />;
}

interface PlainInputProps extends ComboboxInputProps {
  caretRef: RefObject<Caret | null>;
  onComposing: (composing: boolean) => void;
}

function PlainInput({
  input,
  inputRef,
  text,
  container,
  caretRef,
  onComposing,
  onType,
  onOpenChange,
}: PlainInputProps) {
  useLayoutEffect(
    () => () => {
      const focused = document.activeElement;
      const isOwn = focused instanceof HTMLInputElement && container.current?.contains(focused);
      caretRef.current = isOwn ? [focused.selectionStart, focused.selectionEnd] : null;
    },
    [container, caretRef],
  );
  return (
    <input
      {...input}
      ref={inputRef}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls={undefined}
      autoComplete="off"
      value={text}
      onChange={({ target }) => onType(target.value)}
      onClick={() => onOpenChange(true)}
      onKeyDown={(event) => {
        input.onKeyDown?.(event);
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') onOpenChange(true);
      }}
      onCompositionStart={() => onComposing(true)}
      onCompositionEnd={() => onComposing(false)}
    />
  );
}

/** Matching options: first those with a word that starts with the text, then those that contain it. */
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
