import type { RowIndex } from './rowIndex.ts';

/** Makes the index of the rows that belong to a list, of all that were loaded; a page costs its own rows, once. */
export function rowKeeper<T extends { id: string }>(keep: (row: T) => boolean): (index: RowIndex<T>) => RowIndex<T> {
  const byPage = new WeakMap<readonly T[], readonly T[]>();
  let latest: { of: RowIndex<T>; index: RowIndex<T> } | null = null;
  const keptOf = (rows: readonly T[]): readonly T[] => {
    const known = byPage.get(rows);
    if (known) return known;
    const some = rows.filter(keep);
    const kept = some.length === rows.length ? rows : some;
    byPage.set(rows, kept);
    return kept;
  };
  return (of) => {
    if (latest?.of === of) return latest.index;
    const kept = of.kept.map(keptOf);
    const same = latest?.of.positions === of.positions && isStart(latest.index.kept, kept);
    const before = same ? latest?.index : undefined;
    const positions = before?.positions ?? new Map<string, number>();
    const starts: number[] = [];
    let [count, barren] = [0, 0];
    for (const [at, rows] of kept.entries()) {
      starts.push(count);
      if (at >= (before?.kept.length ?? 0)) for (const [row, { id }] of rows.entries()) positions.set(id, count + row);
      count += rows.length;
      barren = rows.length === 0 ? barren + 1 : 0;
    }
    const index = { ...of, kept, starts, count, barren, positions };
    latest = { of, index };
    return index;
  };
}

/** Whether the rows stand where they stood, renewed or not. */
function isStart(before: readonly (readonly { id: string }[])[], now: readonly (readonly { id: string }[])[]): boolean {
  return before.every((rows, page) => {
    const here = now[page];
    return here === rows || (here?.length === rows.length && rows.every(({ id }, at) => here[at]?.id === id));
  });
}
