import type { ReactNode } from 'react';
import type { ListFilters } from '#src/api/contract.ts';
import type { Noun } from '#src/lib/count.ts';
import { Button } from '#src/ui/Button.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { describeFilters, narrowing } from './filterTable.ts';
import type { FilterState } from './useFilters.ts';

interface EmptyListProps {
  noun: Noun;
  state: FilterState<ListFilters>;
  /** What would fill a list without filters. */
  children: ReactNode;
}

/** A list that was read to its end and has no row: for want of rows, or because of the filters. */
export function EmptyList({ noun, state: { table, filters, change }, children }: EmptyListProps) {
  const zone = useZone();
  const set = narrowing(filters, table);
  if (set.length === 0) {
    return (
      <div className="page-body">
        <div className="blank">
          <h2>No {noun.many} yet</h2>
          <p>{children}</p>
        </div>
      </div>
    );
  }
  return (
    <div className="page-body">
      <div className="blank">
        <h2>No {noun.one} fits these filters</h2>
        <p>
          Read to the end: <bdi>{describeFilters(filters, table, zone)}</bdi>.
          {filters.status !== undefined && ' A wrong status word also gives an empty list.'}
        </p>
        <div className="acts-row">
          {filters.status !== undefined && <Button onClick={() => change({ status: undefined })}>Clear status</Button>}
          <Button variant="quiet" onClick={() => change(Object.fromEntries(set.map((name) => [name, undefined])))}>
            Clear all filters
          </Button>
        </div>
      </div>
    </div>
  );
}
