/** A body as the request log keeps it. */
export interface LoggedBody {
  /** The text or the beginning of it; null once it was dropped for newer ones. */
  text: string | null;
  /** Characters of the whole. */
  length: number;
}

/** Characters kept of one body, and of all bodies together. */
export const TEXT_MAX = 64 * 1024;
export const TEXTS_MAX = 8 * 1024 * 1024;

/** What is kept of a body: all of it, or its first 65,536 characters. */
export function loggedBody(text: string): LoggedBody {
  const { length } = text;
  if (length <= TEXT_MAX) return { text, length };
  // Taken apart and put together: a slice would keep the whole text in memory.
  const bytes = new TextEncoder().encode(text.slice(0, TEXT_MAX).replace(/[\uD800-\uDBFF]$/, ''));
  return { text: new TextDecoder().decode(bytes), length };
}

interface WithTexts {
  readonly body: LoggedBody | null;
  readonly answer: { readonly body: LoggedBody | null } | null;
}

/** The same records, newest last, with the bodies of the oldest dropped as far as all together are too long. */
export function withinBudget<T extends WithTexts>(records: readonly T[], budget = TEXTS_MAX): readonly T[] {
  let room = budget;
  let from = records.length;
  while (from > 0 && room >= 0) {
    const record = records[from - 1];
    room -= (record?.body?.text?.length ?? 0) + (record?.answer?.body?.text?.length ?? 0);
    if (room >= 0) from -= 1;
  }
  const old = records.slice(0, from);
  if (!old.some(hasText)) return records;
  return [...old.map((record) => (hasText(record) ? withoutTexts(record) : record)), ...records.slice(from)];
}

function hasText({ body, answer }: WithTexts): boolean {
  return body?.text != null || answer?.body?.text != null;
}

function withoutTexts<T extends WithTexts>(record: T): T {
  const answer = record.answer && { ...record.answer, body: dropped(record.answer.body) };
  return { ...record, body: dropped(record.body), answer };
}

function dropped(kept: LoggedBody | null): LoggedBody | null {
  return kept && { ...kept, text: null };
}
