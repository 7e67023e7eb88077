import type { ReactNode } from 'react';
import type { Noun } from '#src/lib/count.ts';
import { Button } from '#src/ui/Button.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { describeFilters } from './describeFilters.ts';
import { isFiltered, withoutFilters } from './filterCodec.ts';
import type { FilterState } from './useListFilters.ts';

interface EmptyListProps {
  noun: Noun;
  state: FilterState;
  /** What would fill a list without filters. */
  children: ReactNode;
}

/** A list that was read to its end and has no row: for want of rows, or because of the filters. */
export function EmptyList({ noun, state: { filters, choose }, children }: EmptyListProps) {
  const zone = useZone();
  const order = filters.order === undefined ? {} : { order: filters.order };
  if (!isFiltered(filters)) {
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
          Read to the end: <bdi>{describeFilters(filters, zone)}</bdi>.
          {filters.status !== undefined && ' A wrong status word also gives an empty list.'}
        </p>
        <div className="acts-row">
          {filters.status !== undefined && (
            <Button onClick={() => choose(withoutFilters(filters, ['status']))}>Clear status</Button>
          )}
          <Button variant="quiet" onClick={() => choose(order)}>
            Clear all filters
          </Button>
        </div>
      </div>
    </div>
  );
}
