import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { visible } from '#src/lib/text.ts';
import { CreatedFilter } from './CreatedFilter.tsx';
import { withoutFilters } from './filterCodec.ts';
import { FilterFrame } from './FilterFrame.tsx';
import { FilterToggle } from './FilterToggle.tsx';
import { SavedViews } from './SavedViews.tsx';
import type { FilterState } from './useListFilters.ts';
import { WordFilter } from './WordFilter.tsx';

interface FilterBarProps {
  state: FilterState;
  /** Words to suggest; read when the control opens. */
  statuses?: () => readonly string[];
  assets: () => readonly string[];
  /** Stands at the end: Export. */
  children?: ReactNode;
}

const none = (): readonly string[] => [];

/** Every filter of a list, defaults included; on narrow windows those that are set, the rest behind one button. */
export function FilterBar({ state, statuses = none, assets, children }: FilterBarProps) {
  const { filters, ignored, names, choose } = state;
  // A detail beside the list does not belong to the view.
  const listPath = `/${useLocation().pathname.split('/')[1] ?? ''}`;
  return (
    <>
      <FilterFrame end={children}>
        <CreatedFilter
          filters={filters}
          onChange={(bounds) => choose({ ...withoutFilters(filters, ['created_after', 'created_before']), ...bounds })}
        />
        {names.includes('status') && (
          <WordFilter
            label="Status"
            value={filters.status}
            suggestions={statuses}
            help="Any word the service knows; a wrong one gives an empty list."
            onChange={(status, how) =>
              choose({ ...withoutFilters(filters, ['status']), ...(status === undefined ? {} : { status }) }, how)
            }
          />
        )}
        <WordFilter
          label="Asset"
          value={filters.asset}
          suggestions={assets}
          help="As the service writes it, such as BTC."
          onChange={(asset, how) =>
            choose({ ...withoutFilters(filters, ['asset']), ...(asset === undefined ? {} : { asset }) }, how)
          }
        />
        {names.includes('source') && (
          <WordFilter
            label="Source"
            value={filters.source}
            suggestions={none}
            help="The whole id of a deposit or a withdrawal."
            onChange={(source, how) =>
              choose({ ...withoutFilters(filters, ['source']), ...(source === undefined ? {} : { source }) }, how)
            }
          />
        )}
        <OrderToggle state={state} />
        <SavedViews path={listPath} />
      </FilterFrame>
      {ignored.length > 0 && (
        <p className="filters-ignored" role="status">
          Ignored in the address, because it cannot be meant: <bdi>{visible(ignored.join(', ')).slice(0, 400)}</bdi>
        </p>
      )}
    </>
  );
}

function OrderToggle({ state: { filters, choose } }: { state: FilterState }) {
  const oldest = filters.order === 'asc';
  const Icon = oldest ? ArrowUp : ArrowDown;
  return (
    <FilterToggle
      label="Order"
      value={oldest ? 'Oldest first' : 'Newest first'}
      icon={<Icon className="icon-s" aria-hidden />}
      set={oldest}
      onChange={(asc) => choose(asc ? { ...filters, order: 'asc' } : withoutFilters(filters, ['order']))}
    />
  );
}
