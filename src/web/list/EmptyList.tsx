import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FilterNamesByList } from '#src/shared/contract/contract.ts';
import { revealHidden, type Noun, numberWords } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import type { ListRow } from './fields.tsx';
import { describeFilters, narrowing } from './filters/filterTable.ts';
import type { PageFilters } from './filters/filterProps.ts';
import { nearestWord } from './filters/matchWords.ts';
import { type FilterState, useHints } from './filters/useFilters.ts';
import type { List } from './useList.ts';

interface EmptyListProps {
  noun: Noun;
  state: FilterState<PageFilters>;
  resource: keyof FilterNamesByList;
  countOf: List<ListRow>['countOf'];
  /** How to get the first row. */
  start: ReactNode;
  children: ReactNode;
}

/** A list that was loaded to its end and has no rows, at all or with these filters. */
export function EmptyList(props: EmptyListProps) {
  const { noun, state, resource, countOf, start, children } = props;
  const { table, filters, change } = state;
  const hints = useHints(resource, true);
  const zone = useZone();
  const set = narrowing(filters, table);
  if (set.length === 0) {
    return (
      <EmptyState title={`No ${noun.many} yet`} action={start}>
        {children}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={`No ${noun.many} match`}
      action={
        <>
          {set.map((name) => {
            const value = filters[name];
            const known = table[name]?.codes?.(hints) ?? [];
            // A known word isn't misspelt: no row has it together with the other filters.
            const near = typeof value !== 'string' || known.includes(value) ? null : nearestWord(known, value);
            if (near === null) return null;
            const changed = { ...filters, [name]: near };
            return <Meant key={name} word={near} query={countOf(changed)} onTake={() => change({ [name]: near })} />;
          })}
          {filters.status !== undefined && <Button onClick={() => change({ status: undefined })}>Clear status</Button>}
          <Button variant="quiet" onClick={() => change(Object.fromEntries(set.map((name) => [name, undefined])))}>
            Clear all filters
          </Button>
        </>
      }
    >
      <bdi>{describeFilters(filters, table, zone)}</bdi>
    </EmptyState>
  );
}

interface MeantProps {
  word: string;
  query: ReturnType<List<ListRow>['countOf']>;
  onTake: () => void;
}

function Meant({ word, query, onTake }: MeantProps) {
  const { data } = useQuery(query);
  if (data?.rows === 0 && !data.more) return null;
  return (
    <Button variant="primary" onClick={onTake}>
      Did you mean {revealHidden(word)}
      {data && ` (${numberWords(data.rows)}${data.more ? ' or more' : ''})`}?
    </Button>
  );
}
