/** Four characters of a text, and whether they differ from those of the text that it is compared with. */
export interface Four {
  /** Where it begins. */
  at: number;
  text: string;
  differs: boolean;
}

/** A text in groups of four, compared with another from both ends, so that a longer middle does not shift the tail. */
export function groupsOfFour(text: string, other: string): Four[] {
  const [head, tail] = commonEnds(text, other);
  const differsAt = (at: number): boolean =>
    at >= head && at < text.length - tail && (text.length !== other.length || text.charAt(at) !== other.charAt(at));
  const groups: Four[] = [];
  for (let at = 0; at < text.length; at += 4) {
    const group = text.slice(at, at + 4);
    groups.push({ at, text: group, differs: [0, 1, 2, 3].some((offset) => differsAt(at + offset)) });
  }
  return groups;
}

/** How many characters two texts share at their beginnings and, of the rest, at their ends. */
export function commonEnds(a: string, b: string): [number, number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a.charAt(head) === b.charAt(head)) head += 1;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return [head, tail];
}

/** Where the first of two texts differs from the second, as a sentence. */
export function differenceInWords(text: string, other: string): string {
  const [head, tail] = commonEnds(text, other);
  const last = text.length - tail;
  const where = last > head + 1 ? `Characters ${head + 1} to ${last} differ` : `Character ${head + 1} differs`;
  const lengths = text.length === other.length ? '' : `, and one is ${text.length} long, the other ${other.length}`;
  return `${where}${lengths}. Only the beginning and the end are alike.`;
}
