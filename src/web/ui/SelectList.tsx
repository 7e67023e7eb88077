import { Select as BaseSelect } from '@base-ui/react/select';
import { type ComponentProps, type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { SelectChevron, selectClass, type SelectOptions } from './selectParts.tsx';

interface SelectListProps<T extends string | number> extends SelectOptions<T> {
  /** Attributes of the button. */
  button: ComponentProps<'button'>;
  translate: 'no' | undefined;
  /** The placeholder button was pressed before this was loaded. */
  isOpen: boolean;
  /** The placeholder button had the focus. */
  isFocused: boolean;
}

/** A button that opens its options. */
export function SelectList<T extends string | number>(props: SelectListProps<T>) {
  const { value, options, onChange, button, translate, isOpen, isFocused } = props;
  const container = useRef<HTMLSpanElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isFocused) trigger.current?.focus({ preventScroll: true });
  }, [isFocused]);
  return (
    <BaseSelect.Root
      items={options}
      value={value}
      modal={false}
      defaultOpen={isOpen}
      onValueChange={(next) => next !== null && onChange(next)}
    >
      {/* The list is inside, so that an open dialog doesn't make it inert. */}
      <span className={selectClass} ref={container}>
        <BaseSelect.Trigger {...button} translate={translate} ref={trigger}>
          <span className="min-w-0 truncate">
            <BaseSelect.Value />
          </span>
          <SelectChevron />
        </BaseSelect.Trigger>
        <BaseSelect.Portal container={container}>
          <BaseSelect.Positioner
            className="z-20 min-w-(--anchor-width)"
            // Base UI focuses an option before it positions the list. Without "fixed", the browser scrolls the page to that
            // option, and a click near the bottom of the window ends on another element, which closes the list.
            positionMethod="fixed"
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
