import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Field, inputClass } from './Field.tsx';

interface Option {
  key: string;
  label: ReactNode;
  detail: ReactNode;
}

interface ComboboxProps {
  label: string;
  hint?: string;
  help?: ReactNode;
  text: string;
  onText: (text: string) => void;
  /** The field was left with nothing picked. */
  onLeave: () => void;
  /** The options for the text as it is, few enough to be shown. */
  options: readonly Option[];
  /** Said below the options, such as how many more there are. */
  foot?: string | undefined;
  onPick: (key: string) => void;
}

/** A field that offers what there is for the text typed, and picks one of it: arrows, Enter, Escape, or the mouse. */
export function Combobox({ label, hint, help, text, onText, onLeave, options, foot, onPick }: ComboboxProps) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const at = Math.min(active, options.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  const isShown = open && options.length > 0;
  const note = options.length === 0 ? 'None of that name, chain or address.' : foot;

  const show = (index: number) => {
    setOpen(true);
    setActive(index);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const pick = (option: Option | undefined) => {
    if (!option) return;
    close();
    onPick(option.key);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (options.length > 0)
        show(open ? (at + step + options.length) % options.length : step === 1 ? 0 : options.length - 1);
    } else if (event.key === 'Enter' && open) {
      // It never submits the form under an open list.
      event.preventDefault();
      pick(options[at]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} help={help}>
      {(control) => (
        <span className="relative block">
          <span aria-live="polite" className="vh">
            {open && (options.length === 0 ? 'Nothing found' : `${options.length} found`)}
          </span>
          <input
            {...control}
            className={inputClass}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={isShown ? listId : undefined}
            aria-activedescendant={isShown && at >= 0 ? optionId(at) : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              onText(event.target.value);
              show(0);
            }}
            onClick={() => setOpen(true)}
            onBlur={() => {
              close();
              onLeave();
            }}
            onKeyDown={press}
          />
          {open && (
            <div className="absolute inset-x-0 top-[calc(100%+2px)] z-6 rounded-pop border border-rule-strong bg-sheet shadow-pop">
              {isShown && (
                <div id={listId} role="listbox" className="max-h-64 overflow-auto" aria-label="Suggestions">
                  {options.map((option, index) => (
                    <Choice
                      key={option.key}
                      id={optionId(index)}
                      option={option}
                      isActive={index === at}
                      onPick={() => pick(option)}
                    />
                  ))}
                </div>
              )}
              {note !== undefined && <p className="small sub px-3 py-2">{note}</p>}
            </div>
          )}
        </span>
      )}
    </Field>
  );
}

interface ChoiceProps {
  id: string;
  option: Option;
  isActive: boolean;
  onPick: () => void;
}

/** Keys reach it through the field, which keeps the focus. */
function Choice({ id, option, isActive, onPick }: ChoiceProps) {
  return (
    <div
      id={id}
      className={`grid cursor-pointer gap-x-3 border-l-4 px-3 py-2 wrap-anywhere ${
        isActive ? 'border-accent bg-selected' : 'border-transparent hover:bg-hover'
      }`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      ref={isActive ? (item) => item?.scrollIntoView({ block: 'nearest' }) : undefined}
      onMouseDown={(event) => event.preventDefault()}
      onMouseUp={onPick}
    >
      <span>{option.label}</span>
      <span className="small sub">{option.detail}</span>
    </div>
  );
}
