import { Bookmark, ListFilter } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { IgnoredInLink } from '#src/web/list/ErrorNotice.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { type Changes, type ControlProps, type Filter, type Hints, keysOf } from './filterTable.ts';
import { FilterControl, ShortcutContext } from './FilterControl.tsx';
import type { FilterState } from './useFilters.ts';

interface FilterBarProps<F> {
  state: FilterState<F>;
  hints?: Hints;
  children?: ReactNode;
}

const NO_HINTS: Hints = { valuesSeen: () => [], assetsHeld: () => [] };

const OpenView = deferred(() => import('./SavedViews.tsx').then((loaded) => loaded.OpenView));
const SavedViews = deferred(() => import('./SavedViews.tsx').then((loaded) => loaded.SavedViews));

/** Every filter of a list, even at its default. Narrow windows show only those that are set, and a button for the rest. */
export function FilterBar<F>({ state, hints = NO_HINTS, children }: FilterBarProps<F>) {
  const { table, filters, ignored, change } = state;
  const [open, setOpen] = useState(false);
  // The path of the list, even if a detail is open beside it.
  const listPath = `/${useLocation().pathname.split('/')[1] ?? ''}`;
  const names = keysOf(table).sort(
    (one, other) => Number(table[other]?.isFirst ?? 0) - Number(table[one]?.isFirst ?? 0),
  );
  return (
    <>
      <div className="filters" role="search" aria-label="Filters" data-open={open || undefined}>
        {names.map((name, at) => {
          const filter = table[name];
          return (
            filter && (
              <ShortcutContext key={name} value={at === 0 ? 'F' : undefined}>
                <Control {...{ name, filter, filters, change, hints }} />
              </ShortcutContext>
            )
          );
        })}
        <Button
          className="filters-toggle"
          data-keys="F"
          aria-expanded={open}
          icon={<ListFilter className="icon-s" aria-hidden />}
          onClick={() => setOpen(!open)}
        >
          Filters
        </Button>
        <div className="end">
          {/* The views load after the rows, without replacing this control, which may be open by then. */}
          <FilterControl label="Views" value={<OpenView path={listPath} />} set={false} icon={<Bookmark aria-hidden />}>
            <SavedViews path={listPath} />
          </FilterControl>
          {children}
        </div>
      </div>
      <IgnoredInLink ignored={ignored} />
    </>
  );
}

interface ControlOf<F, N extends keyof F> extends Pick<ControlProps<F, unknown>, 'filters' | 'change' | 'hints'> {
  name: N;
  filter: Filter<F, NonNullable<F[N]>>;
}

function Control<F, N extends keyof F & string>({ name, filter, ...of }: ControlOf<F, N>) {
  const none: Changes<F> = {};
  if (filter.Control === null) return null;
  return (
    <filter.Control
      {...of}
      value={of.filters[name] ?? undefined}
      onChange={(value, how) => of.change({ ...none, [name]: value }, how)}
    />
  );
}
