interface SegmentedProps<T extends string> {
  label: string;
  /** Without this, the label is only for screen readers. */
  labelVisible?: boolean;
  value: T;
  options: Readonly<Partial<Record<T, string>>>;
  tips?: Readonly<Partial<Record<T, string>>>;
  onChange: (value: T) => void;
}

export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const { label, labelVisible = false, value, options, tips, onChange } = props;
  const isChoice = (key: string): key is T => key in options;
  const choices = (
    <fieldset className="seg inline-flex rounded-sm border border-rule-strong bg-sheet" aria-label={label}>
      {Object.keys(options)
        .filter(isChoice)
        .map((choice) => (
          <button
            key={choice}
            type="button"
            className="inline-grid min-h-6 place-items-center border-rule-strong px-2 text-label/5 text-ink-2 not-first:border-l hover:bg-hover aria-pressed:bg-selected aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:shadow-[inset_0_-3px_0_var(--color-accent)] pointer-coarse:leading-8"
            aria-pressed={choice === value}
            data-tip={tips?.[choice]}
            onClick={() => onChange(choice)}
          >
            {options[choice]}
          </button>
        ))}
    </fieldset>
  );
  if (!labelVisible) return choices;
  return (
    <div className="grid justify-items-start gap-1">
      <span className="font-semibold" aria-hidden>
        {label}
      </span>
      {choices}
    </div>
  );
}
