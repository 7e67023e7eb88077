import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { revealHidden, visibleCode } from '#src/shared/text.ts';
import { TextField } from '#src/web/ui/Field.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { ANY, Choices, useCloseFilter, useEarlyText } from './FilterControl.tsx';
import type { WordFilterProps } from './filterProps.ts';
import { matchWords } from './matchWords.ts';

const TYPING_MS = 350;

export function WordChooser({
  label,
  value,
  suggestions,
  help,
  codes = false,
  suggestionText,
  onChange,
}: WordFilterProps) {
  const close = useCloseFilter();
  const words = suggestions();
  const earlyText = useEarlyText();
  const [typed, setTyped] = useState(() => earlyText.current || (value ?? ''));
  const [active, setActive] = useState(0);
  const pending = useTypingDelay();
  const apply = (text: string, source?: 'typed') => {
    const word = text.trim() === '' ? undefined : text.trim();
    if (word !== value) onChange(word, source);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    pending.cancel();
    apply(rows[at] ?? typed);
    close();
  };
  const typedText = codes ? visibleCode : revealHidden;
  const textOf = (each: string) => (words.includes(each) ? (suggestionText ?? typedText) : typedText)(each);
  const word = typed === value ? '' : typed.trim();
  const matches = matchWords(words, word);
  // The options for Enter, once something was typed.
  const rows = !codes || word === '' ? [] : matches.includes(word) ? matches : [...matches, word];
  const at = Math.min(active, rows.length - 1);
  const labelOf = (each: string) => (words.includes(each) ? textOf(each) : `Use “${textOf(each)}” exactly`);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || rows.length === 0) return;
    event.preventDefault();
    setActive((at + step + rows.length) % rows.length);
  };
  return (
    <form onSubmit={submit} className="contents">
      <TextField
        label={label}
        help={help}
        text={typed}
        maxLength={200}
        spellCheck={false}
        ref={focusOnMount}
        onKeyDown={move}
        onText={(text) => {
          setTyped(text);
          setActive(0);
          if (!codes) pending.start(() => apply(text, 'typed'));
        }}
      />
      <Choices
        below
        choices={[ANY, ...(rows.length > 0 ? rows : matches).map((each) => ({ value: each, label: labelOf(each) }))]}
        value={value}
        active={rows[at]}
        onChange={(next) => {
          pending.cancel();
          if (next !== value) onChange(next);
        }}
      />
      <span aria-live="polite" className="vh">
        {rows[at] !== undefined && `Enter takes ${textOf(rows[at])}`}
      </span>
    </form>
  );
}

/** Waits for a pause in typing; closing the filter runs what is still waiting. */
function useTypingDelay(): { start: (callback: () => void) => void; cancel: () => void } {
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; callback: () => void; path: string } | null>(null);
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
      // Not if the person has left the page.
      if (current.path === window.location.pathname) current.callback();
    },
    [],
  );
  return {
    cancel,
    start: (callback) => {
      cancel();
      const timer = setTimeout(() => {
        waiting.current = null;
        callback();
      }, TYPING_MS);
      waiting.current = { timer, callback, path: window.location.pathname };
    },
  };
}
