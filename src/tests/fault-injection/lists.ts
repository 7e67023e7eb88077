import { isObject, parseJson } from '#src/shared/answers.ts';
import type { Scene } from './scene.ts';
import type { Served } from './service.ts';

/** Splits the list of withdrawals into pages of one or two, or returns a page with has_more but no cursor. */
export function asPaged(scene: Scene, served: Served, target: string): Served {
  const { worlds, seed } = scene;
  if (!worlds.pagesLists && !worlds.breaksLists) return served;
  const list = parseJson(served.text);
  if (!isObject(list) || !Array.isArray(list['data'])) return served;
  const rows: unknown[] = list['data'];
  if (rows.length === 0) return served;
  const respond = (part: object): Served => ({ ...served, text: JSON.stringify({ ...list, ...part }) });
  if (worlds.breaksLists) {
    scene.count('listsBroken');
    return respond({ data: rows.slice(0, seed % 2), has_more: true, next_cursor: null });
  }
  const after = new URLSearchParams(target.split('?')[1]).get('starting_after');
  const from = after === null ? 0 : rows.findIndex((row) => idOf(row) === after) + 1;
  const data = rows.slice(from, from + (seed % 4 === 0 ? 2 : 1));
  const hasMore = from + data.length < rows.length;
  if (hasMore) scene.count('listsPaged');
  return respond({ data, has_more: hasMore, next_cursor: hasMore ? idOf(data.at(-1)) : null });
}

function idOf(row: unknown): unknown {
  return isObject(row) ? row['id'] : null;
}
