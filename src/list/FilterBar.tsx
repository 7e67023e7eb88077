import { ArrowDown, ArrowUp, ListFilter, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { visible } from '#src/lib/text.ts';
import { Button } from '#src/ui/Button.tsx';
import { CreatedFilter } from './CreatedFilter.tsx';
import { withoutFilters } from './filterCodec.ts';
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
  const [open, setOpen] = useState(false);
  // A detail beside the list does not belong to the view.
  const listPath = `/${useLocation().pathname.split('/')[1] ?? ''}`;
  return (
    <>
      <div className="filters" role="search" aria-label="Filters" data-open={open || undefined}>
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
        <Button
          className="filters-toggle"
          aria-expanded={open}
          icon={<ListFilter className="icon-s" aria-hidden />}
          onClick={() => setOpen(!open)}
        >
          Filters
        </Button>
        {children && <div className="end">{children}</div>}
      </div>
      {ignored.length > 0 && (
        <p className="filters-ignored" role="status">
          Ignored in the address, because it cannot be meant: <bdi>{visible(ignored.join(', ')).slice(0, 400)}</bdi>
        </p>
      )}
    </>
  );
}

function OrderToggle({ state: { filters, choose } }: { state: FilterState }) {
  const toggle = useRef<HTMLButtonElement>(null);
  const oldest = filters.order === 'asc';
  const newestFirst = () => choose(withoutFilters(filters, ['order']));
  return (
    <div className={oldest ? 'filter set' : 'filter'}>
      <button
        type="button"
        className="filter-main"
        ref={toggle}
        onClick={() => (oldest ? newestFirst() : choose({ ...filters, order: 'asc' }))}
      >
        <span className="l">Order</span> <span className="v">{oldest ? 'Oldest first' : 'Newest first'}</span>
        {oldest ? <ArrowUp className="icon-s" aria-hidden /> : <ArrowDown className="icon-s" aria-hidden />}
      </button>
      {oldest && (
        <button
          type="button"
          className="filter-clear"
          aria-label="Clear order"
          data-tip="Clear order"
          onClick={() => {
            newestFirst();
            toggle.current?.focus();
          }}
        >
          <X className="icon-s" aria-hidden />
        </button>
      )}
    </div>
  );
}
