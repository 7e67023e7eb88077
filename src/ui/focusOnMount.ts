/** A `ref` that takes the focus when its element appears. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
