import { Popover } from '@base-ui/react/popover';
import type { KeyboardEventHandler, ReactNode, RefObject } from 'react';

interface FilterPopoverProps {
  id: string;
  label: string;
  /** The filter's button and everything that belongs to it: a press there does not count as outside. */
  filter: RefObject<HTMLDivElement | null>;
  button: RefObject<HTMLButtonElement | null>;
  onKeyDown: KeyboardEventHandler;
  onClose: () => void;
  children: ReactNode;
}

/** The popover of a filter's button. It is inside the filter's element, so that Tab continues from the button. */
export function FilterPopover({ id, label, filter, button, onKeyDown, onClose, children }: FilterPopoverProps) {
  return (
    <Popover.Root
      open
      onOpenChange={(_open, details) => {
        const { event } = details;
        const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
        // The button itself toggles.
        if (details.reason !== 'escape-key' && target instanceof Node && filter.current?.contains(target) === true)
          details.cancel();
        else onClose();
      }}
    >
      <Popover.Portal container={filter}>
        <Popover.Positioner
          className="filter-positioner"
          anchor={button}
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          collisionAvoidance={{ side: 'none', align: 'shift' }}
        >
          <Popover.Popup
            className="filter-pop"
            id={id}
            role="group"
            aria-label={label}
            finalFocus={button}
            onKeyDown={onKeyDown}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
