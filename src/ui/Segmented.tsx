import type { ReactNode } from 'react';

interface SegmentedProps<T extends string> {
  label: string;
  /** Whether the label is drawn; where what stands around says it already it is only told. */
  shown?: boolean;
  value: T;
  /** With an icon the label is the button's name and tooltip. */
  options: readonly { value: T; label: string; tip?: string; icon?: ReactNode }[];
  onChange: (value: T) => void;
}

/** Two or three choices of which one holds. */
export function Segmented<T extends string>({ label, shown = false, value, options, onChange }: SegmentedProps<T>) {
  const choices = (
    <fieldset className="seg inline-flex rounded-sm border border-rule-strong bg-sheet" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className="inline-grid min-h-6 place-items-center border-rule-strong px-2 text-label/5 text-ink-2 not-first:border-l hover:bg-hover aria-pressed:bg-selected aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:shadow-[inset_0_-3px_0_var(--color-accent)] pointer-coarse:leading-8"
          aria-pressed={option.value === value}
          aria-label={option.icon ? option.label : undefined}
          data-tip={option.tip ?? (option.icon ? option.label : undefined)}
          onClick={() => onChange(option.value)}
        >
          {option.icon ?? option.label}
        </button>
      ))}
    </fieldset>
  );
  if (!shown) return choices;
  return (
    <div className="grid justify-items-start gap-1">
      <span className="font-semibold" aria-hidden>
        {label}
      </span>
      {choices}
    </div>
  );
}
