import { type FormEvent, useEffect, useRef, useState } from 'react';
import { visible } from '#src/lib/text.ts';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { FilterControl, useCloseFilter } from './FilterControl.tsx';

interface WordFilterProps {
  label: string;
  value: string | undefined;
  /** Words to choose from; read when the control opens. */
  suggestions: () => readonly string[];
  help: string;
  onChange: (value: string | undefined, how?: 'typed') => void;
}

const TYPING_MS = 350;

/** A filter by one word: chosen from those known, or typed, because nobody knows them all. */
export function WordFilter({ label, value, suggestions, help, onChange }: WordFilterProps) {
  return (
    <FilterControl label={label} value={value ?? 'any'} set={value !== undefined} onClear={() => onChange(undefined)}>
      <WordChooser label={label} value={value} suggestions={suggestions} help={help} onChange={onChange} />
    </FilterControl>
  );
}

function WordChooser({ label, value, suggestions, help, onChange }: WordFilterProps) {
  const close = useCloseFilter();
  const known = suggestions();
  const [typed, setTyped] = useState(value ?? '');
  const pending = useTypingDelay();
  const apply = (text: string, how?: 'typed') => {
    const word = text.trim() === '' ? undefined : text.trim();
    if (word !== value) onChange(word, how);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    pending.cancel();
    apply(typed);
    close();
  };
  const choose = (word: string | undefined) => {
    pending.cancel();
    if (word !== value) onChange(word);
    close();
  };
  const needle = typed === value ? '' : typed.trim().toLowerCase();
  const fitting = known.filter((word) => word.toLowerCase().includes(needle));
  return (
    <form onSubmit={submit} className="contents">
      <Field label={label} help={help}>
        {(control) => (
          <input
            {...control}
            className={inputClass}
            value={typed}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            ref={focusOnce}
            onChange={({ target }) => {
              setTyped(target.value);
              pending.start(() => apply(target.value, 'typed'));
            }}
          />
        )}
      </Field>
      <div className="filter-choices">
        <button type="button" aria-pressed={value === undefined} onClick={() => choose(undefined)}>
          any
        </button>
        {fitting.map((word) => (
          <button type="button" key={word} aria-pressed={word === value} onClick={() => choose(word)}>
            <bdi>{visible(word)}</bdi>
          </button>
        ))}
      </div>
    </form>
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}

/** Waits for a pause in typing; what is still waiting when the control closes happens at once. */
function useTypingDelay(): { start: (act: () => void) => void; cancel: () => void } {
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; act: () => void; path: string } | null>(null);
  const cancel = () => {
    if (waiting.current) clearTimeout(waiting.current.timer);
    waiting.current = null;
  };
  useEffect(
    () => () => {
      const { current } = waiting;
      if (!current) return;
      clearTimeout(current.timer);
      waiting.current = null;
      // Unless the whole page was left: then nobody waits for it.
      if (current.path === window.location.pathname) current.act();
    },
    [],
  );
  return {
    cancel,
    start: (act) => {
      cancel();
      const timer = setTimeout(() => {
        waiting.current = null;
        act();
      }, TYPING_MS);
      waiting.current = { timer, act, path: window.location.pathname };
    },
  };
}
