import { Autocomplete } from '@base-ui/react/autocomplete';
import { revealHidden } from '#src/shared/text.ts';
import type { ComboboxInputProps, Option } from './Combobox.tsx';

/** The input of a Combobox with its list of suggestions. */
export function ComboboxInput(props: ComboboxInputProps) {
  const { input, inputRef, text, rows, foot, nothing, open, typed, onOpenChange, onType, onPick, container } = props;
  return (
    <Autocomplete.Root
      mode="none"
      items={rows}
      itemToStringValue={({ value }: Option) => value}
      // "always" also covers text that was typed before this input was loaded.
      autoHighlight={typed ? 'always' : true}
      openOnInputClick
      readOnly={input.readOnly === true}
      value={text}
      onValueChange={(next, { reason }) => {
        if (reason === 'input-change') onType(next);
      }}
      open={open}
      onOpenChange={onOpenChange}
    >
      <Autocomplete.Input
        {...input}
        ref={inputRef}
        onKeyDown={(event) => {
          // Base UI would clear a closed field on Escape.
          if (event.key === 'Escape') event.preventBaseUIHandler();
          input.onKeyDown?.(event);
        }}
      />
      {/* No Autocomplete.Popup: while open it hides the rest of the page, labels included, from screen readers. */}
      {open && (
        <Autocomplete.Portal container={container}>
          <Autocomplete.Positioner className="z-6 w-(--anchor-width)" sideOffset={2} align="start">
            <div className="rounded-pop border border-rule-strong bg-sheet shadow-pop">
              {rows.length > 0 && (
                <Autocomplete.List className="max-h-64 overflow-auto" aria-label="Suggestions">
                  {rows.map((option) => (
                    <Suggestion key={option.value} option={option} onPick={() => onPick(option)} />
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
  );
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
