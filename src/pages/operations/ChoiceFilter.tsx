import { FilterControl, useCloseFilter } from '#src/list/FilterControl.tsx';

interface ChoiceFilterProps<T extends string> {
  label: string;
  value: T | undefined;
  choices: readonly { value: T; words: string }[];
  onChange: (value: T | undefined) => void;
}

/** A filter by one of a few known words; none chosen means all. */
export function ChoiceFilter<T extends string>(props: ChoiceFilterProps<T>) {
  const { label, value, choices, onChange } = props;
  const shown = choices.find((choice) => choice.value === value)?.words ?? 'any';
  return (
    <FilterControl label={label} value={shown} set={value !== undefined} onClear={() => onChange(undefined)}>
      <Choices {...props} />
    </FilterControl>
  );
}

function Choices<T extends string>({ value, choices, onChange }: ChoiceFilterProps<T>) {
  const close = useCloseFilter();
  const choose = (next: T | undefined) => {
    if (next !== value) onChange(next);
    close();
  };
  return (
    <div className="filter-choices">
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
          {choice.words}
        </button>
      ))}
    </div>
  );
}
