import { Select as BaseSelect } from '@base-ui/react/select';
import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { type FieldControlProps, inputClass } from './Field.tsx';

export interface SelectProps<T extends string | number> {
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  /** Its name, where no label stands beside it. */
  label?: string;
  /** From a Field. */
  control?: Omit<FieldControlProps, 'required'>;
  /** The options are names from elsewhere, such as asset codes, which a translator could change. */
  isExact?: boolean;
  className?: string;
}

/** One of a few options. Keys as in a native select, except that the arrows open it first. */
export function Select<T extends string | number>(props: SelectProps<T>) {
  const { value, options, onChange, label, control, isExact, className } = props;
  const container = useRef<HTMLSpanElement>(null);
  const translate = isExact ? 'no' : undefined;
  return (
    <BaseSelect.Root
      items={options}
      value={value}
      modal={false}
      onValueChange={(next) => next !== null && onChange(next)}
    >
      {/* The list is inside, so that an open dialog doesn't make it inert. */}
      <span className="relative inline-block max-w-full min-w-0 [.field>&]:block" ref={container}>
        <BaseSelect.Trigger
          {...control}
          aria-label={label}
          className={`${className ?? `${inputClass} flex w-full pr-2`} items-center justify-between gap-2 text-left`}
          translate={translate}
        >
          <span className="min-w-0 truncate">
            <BaseSelect.Value />
          </span>
          <ChevronDown className={className === undefined ? 'text-ink-2' : 'icon-s text-ink-2'} aria-hidden />
        </BaseSelect.Trigger>
        <BaseSelect.Portal container={container}>
          <BaseSelect.Positioner
            className="z-20 min-w-(--anchor-width)"
            alignItemWithTrigger={false}
            sideOffset={2}
            align="start"
            collisionPadding={8}
          >
            <BaseSelect.Popup
              className="w-max min-w-full max-h-[min(16rem,var(--available-height))] max-w-[min(24rem,var(--available-width))] overflow-auto rounded-pop border border-rule-strong bg-sheet text-body font-normal text-ink shadow-pop"
              onKeyDown={keepDialogOpen}
            >
              {options.map((option) => (
                <BaseSelect.Item
                  key={option.value}
                  value={option.value}
                  className="cursor-pointer border-l-4 border-transparent px-3 py-1.5 wrap-anywhere outline-none data-highlighted:bg-hover data-selected:border-accent data-selected:bg-selected"
                  translate={translate}
                >
                  <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                </BaseSelect.Item>
              ))}
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </span>
    </BaseSelect.Root>
  );
}

/** Escape closes the list, not the dialog around it. */
function keepDialogOpen(event: KeyboardEvent) {
  if (event.key === 'Escape') event.preventDefault();
}
