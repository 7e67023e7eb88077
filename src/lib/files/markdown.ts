import { visible } from '#src/lib/text.ts';

/**
 * Somebody else's text as one code span of Markdown: one line, nothing hidden in it, and nothing that a reader of
 * Markdown would take for anything but text.
 */
export function codeSpan(text: string, max = 200): string {
  const clipped = text.length > max ? `${text.slice(0, max)}…` : text;
  // A code span ends at a backtick alone; named, it cannot. A table's cell ends at a bar even in a code span.
  const line = visible(clipped)
    .replace(/[\t\n]+/g, ' ')
    .replaceAll('`', '⟨U+0060⟩')
    .replaceAll('|', '⟨U+007C⟩');
  return /\S/.test(line) ? `\`${line}\`` : '(empty)';
}

/** Words of ours that may hold a code of somebody else: as they are where they are plain, else as a code span. */
export function plainOrCode(text: string): string {
  return /^[A-Za-z0-9](?:[A-Za-z0-9,:;()’' –-]|_(?=[A-Za-z0-9])|\.(?=\s|$))*$/.test(text) && !/:\/|  /.test(text)
    ? text
    : codeSpan(text, 300);
}
