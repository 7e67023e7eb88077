import type { KeyboardEvent } from 'react';

/** For an area whose text has no line breaks, such as an address: Enter does what it does in the other fields. */
export function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.form?.requestSubmit();
}
