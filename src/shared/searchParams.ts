// Reads URL parameters: junk gives undefined, which means the default; if a name occurs twice, the first counts.

const TEXT_MAX = 200;

/** Whether a text can be put in a URL parameter so that readText returns it unchanged. */
export function isSearchText(text: string): boolean {
  return text !== '' && text.length <= TEXT_MAX;
}

export function readText(search: URLSearchParams, name: string): string | undefined {
  const text = search.get(name);
  return text !== null && isSearchText(text) ? text : undefined;
}

export function readChoice<const T extends string>(
  search: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = search.get(name);
  return choices.find((choice) => choice === text);
}

export function readInteger(search: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const text = search.get(name) ?? '';
  const value = /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

export function withParams(
  search: URLSearchParams,
  changes: Readonly<Record<string, string | number | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}
