/** Columns of the log with their least widths in rem; a narrow list gives up the last ones. */
const WIDTHS = { started: 8.5, method: 4.75, path: 13, outcome: 12, ms: 5.5, request: 9, key: 9 } as const;
export type CallColumn = keyof typeof WIDTHS;

const ALWAYS: readonly CallColumn[] = ['started', 'method', 'path', 'outcome', 'ms'];
const MORE: readonly CallColumn[] = ['request', 'key'];
/** On a card everything has its place. */
const CARD: readonly CallColumn[] = ['method', 'path', 'outcome', 'started', 'ms'];

/** The columns for a width in rem, null for cards, and their grid. */
export function fitCallColumns(width: number | null): { shown: readonly CallColumn[]; template: string } {
  if (width === null) return { shown: CARD, template: 'none' };
  let room = width - ALWAYS.reduce((sum, id) => sum + WIDTHS[id], 0);
  const shown = [...ALWAYS];
  for (const id of MORE) {
    room -= WIDTHS[id];
    if (room < 0) break;
    shown.push(id);
  }
  const template = shown.map((id) => `minmax(${WIDTHS[id]}rem, ${id === 'path' ? '3fr' : '1fr'})`).join(' ');
  return { shown, template };
}
