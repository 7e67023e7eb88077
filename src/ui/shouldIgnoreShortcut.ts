/** Whether a dialog or a menu is open over the page: keys are its own then. */
export function isOverlaid(): boolean {
  return document.querySelector('dialog[open], :popover-open') !== null;
}

/** Whether a pressed key is text or belongs to a dialog, and so is no command of the page. */
export function shouldIgnoreShortcut({ defaultPrevented, isComposing, target }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing || isOverlaid()) return true;
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
