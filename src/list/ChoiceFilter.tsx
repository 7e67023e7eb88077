import { FilterControl, useCloseFilter } from './FilterControl.tsx';

interface ChoiceFilterProps<T extends string> {
  label: string;
  value: T | undefined;
  choices: readonly { value: T; label: string }[];
  onChange: (value: T | undefined) => void;
}

/** A filter by one of a few words that are all known. */
export function ChoiceFilter<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  const shown = choices.find((choice) => choice.value === value)?.label ?? 'any';
  return (
    <FilterControl label={label} value={shown} set={value !== undefined} onClear={() => onChange(undefined)}>
      <Choices value={value} choices={choices} onChange={onChange} />
    </FilterControl>
  );
}

function Choices<T extends string>({ value, choices, onChange }: Omit<ChoiceFilterProps<T>, 'label'>) {
  const close = useCloseFilter();
  const choose = (next: T | undefined) => {
    if (next !== value) onChange(next);
    close();
  };
  return (
    <div className="filter-choices filter-choices-alone">
      <button type="button" aria-pressed={value === undefined} onClick={() => choose(undefined)}>
        any
      </button>
      {choices.map((choice) => (
        <button
          type="button"
          key={choice.value}
          aria-pressed={choice.value === value}
          onClick={() => choose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
