import type { ClipboardEvent } from 'react';
import { shorten, visible } from '#src/lib/text.ts';

function copyWhole(event: ClipboardEvent<HTMLElement>, value: string): void {
  event.clipboardData.setData('text/plain', value);
  event.preventDefault();
}

/** Head…tail of an id; the whole as tooltip and on copy. */
export function ShortId({ value }: { value: string }) {
  return (
    <bdi className="id whitespace-nowrap" data-tip={value} onCopy={(event) => copyWhole(event, value)}>
      <span aria-hidden>{shorten(value)}</span>
      <span className="vh">{visible(value)}</span>
    </bdi>
  );
}
