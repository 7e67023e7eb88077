import { useId, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { type FieldControlProps, inputClass } from './Field.tsx';
import { SelectChevron, selectClass, type SelectOptions } from './selectParts.tsx';
import { useLoaded } from './useLoaded.ts';

export interface SelectProps<T extends string | number> extends SelectOptions<T> {
  /** Accessible name, if there is no visible label. */
  label?: string;
  /** From a Field. */
  control?: Omit<FieldControlProps, 'required'>;
  /** The options are external names, such as asset codes, which a page translator must not change. */
  isExact?: boolean;
  className?: string;
}

type ListModule = typeof import('./SelectList.tsx');
let loadedList: ListModule | null = null;
const loadList = async () => (loadedList ??= await import('./SelectList.tsx'));

/**
 * One of a few options. Keys work as in a native select, except that the arrows open it first. The library for its list is
 * loaded after the first paint; until then a button replaces it.
 */
export function Select<T extends string | number>(props: SelectProps<T>) {
  const { value, options, onChange, label, control, isExact, className = `${inputClass} flex w-full pr-2` } = props;
  const [isPressed, setPressed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const { value: list, failed, retry } = useLoaded(loadList, loadedList);
  const problemId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const translate = isExact ? 'no' : undefined;
  const button = {
    ...control,
    'aria-label': label,
    className: `${className} items-center justify-between gap-2 text-left`,
  };
  if (list)
    return (
      <list.SelectList {...{ value, options, onChange, button, translate }} isOpen={isPressed} isFocused={isFocused} />
    );
  const text = options.find((option) => option.value === value)?.label;
  const describedBy = [control?.['aria-describedby'], failed && problemId].filter(Boolean).join(' ');
  const retryFocused = () => {
    // The list takes over the focus.
    opener.current?.focus();
    retry();
  };
  return (
    <span className={selectClass}>
      <button
        {...button}
        ref={opener}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={false}
        aria-controls={undefined}
        aria-disabled={failed || undefined}
        aria-describedby={describedBy || undefined}
        translate={translate}
        // On mouse down, because the list may replace the button before the click ends.
        onMouseDown={({ button: which }) => which === 0 && setPressed(true)}
        onClick={() => setPressed(true)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <span className="min-w-0 truncate">{text}</span>
        <SelectChevron />
      </button>
      {failed && (
        <span className="flex flex-wrap items-center gap-2 py-1 text-small">
          <span id={problemId}>Couldn’t load the options.</span>
          <Button size="small" onClick={retryFocused}>
            Retry
          </Button>
        </span>
      )}
    </span>
  );
}
