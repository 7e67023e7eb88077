interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; tip?: string }[];
  onChange: (value: T) => void;
}

/** Two or three choices of which one holds. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <fieldset className="seg" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          data-tip={option.tip}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
