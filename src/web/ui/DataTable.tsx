import type { CSSProperties, ReactNode } from 'react';

export interface DataColumn<T> {
  /** Also shown beside each cell in narrow windows. */
  name: string;
  /** The header cell, if it is more than the name. */
  head?: ReactNode;
  cell: (row: T) => ReactNode;
  foot?: ReactNode;
  /** The cell that names the row. */
  isHead?: true;
  className?: string;
  /** Style of head and cells, such as the width of amounts. */
  style?: CSSProperties;
}

interface DataTableProps<T> {
  label: string;
  rows: readonly T[];
  columns: readonly DataColumn<T>[];
  keyOf: (row: T) => string;
  /** `labelled`: rows are stacked in narrow windows. `fitted`: also when the columns don't fit, after dropping those hidden when `tight`. `scrolled`: it scrolls instead, and is stacked only on phones. */
  className?: string | undefined;
  style?: CSSProperties | undefined;
  rowClass?: (row: T) => string | undefined;
  /** Replaces all cells after the first; null if they aren't replaced. */
  without?: (row: T) => ReactNode;
}

export function DataTable<T>(props: DataTableProps<T>) {
  const { label, rows, keyOf, className = 'grid-table', style, rowClass, without } = props;
  const columns = props.columns.map((column) => ({ ...column, style: underHead(column) }));
  return (
    // A new function on each render, so that it runs again, because other rows may need another width.
    <table ref={(table) => fitColumns(table)} className={className} aria-label={label} style={style}>
      <thead>
        <tr>
          {columns.map(({ name, head = name, className, style }) => (
            <th scope="col" key={name} className={className} style={style}>
              {/* Ends above the decimal point of the amounts. */}
              {className === 'cash' || style ? <span className="over-point">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const words = without?.(row) ?? null;
          const shown = words === null ? columns : columns.slice(0, 1);
          return (
            <tr key={keyOf(row)} className={rowClass?.(row)}>
              {shown.map(({ name, cell, isHead, className, style }) =>
                isHead ? (
                  <th scope="row" key={name} className={className}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} className={className} style={style} data-label={name}>
                    {cell(row)}
                  </td>
                ),
              )}
              {words !== null && (
                <td className="dim" colSpan={columns.length - 1}>
                  {words}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
      {columns.some(({ foot }) => foot !== undefined) && (
        <tfoot>
          <tr>
            {columns.map(({ name, foot, isHead, className, style }) =>
              isHead ? (
                <th scope="row" key={name}>
                  {foot}
                </th>
              ) : (
                <td key={name} className={className} style={style}>
                  {foot}
                </td>
              ),
            )}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Width of a letter in a table head, in em of the body text. */
const HEAD_LETTER = 0.48;

/** Moves amounts with short integer parts to the right, so that their decimal points are below the end of the head. */
function underHead<T>({ name, style }: DataColumn<T>): CSSProperties | undefined {
  const integer = style?.['--int'];
  if (integer === undefined) return style;
  return { ...style, '--int': `max(${integer}, ${(name.length * HEAD_LETTER).toFixed(2)}em)` };
}

/** A table that is too wide drops its column layout, because amounts are never cut. */
function fitColumns(table: HTMLTableElement | null) {
  if (!table?.classList.contains('fitted')) return undefined;
  const fit = () => {
    table.classList.remove('tight', 'stacked');
    const isTooWide = () => table.offsetWidth > (table.parentElement?.clientWidth ?? Infinity);
    if (table.classList.contains('scrolled')) {
      table.classList.toggle('stacked', matchMedia('(max-width: 43.75rem)').matches);
      return;
    }
    table.classList.toggle('tight', isTooWide());
    table.classList.toggle('stacked', isTooWide() || matchMedia('(max-width: 56rem)').matches);
  };
  fit();
  window.addEventListener('resize', fit);
  return () => window.removeEventListener('resize', fit);
}
