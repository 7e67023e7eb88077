import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { describeError, isNotOffered } from '#src/api/errors.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import { useSession } from '#src/api/session.ts';
import { ChartPlace } from '#src/chart/ChartPlace.tsx';
import { ChartToggle } from '#src/chart/ChartToggle.tsx';
import { ExportButton } from '#src/export/ExportButton.tsx';
import { csvColumns } from '#src/export/exportColumns.ts';
import type { ListRow } from '#src/list/fields.tsx';
import { FilterBar } from '#src/list/filters/FilterBar.tsx';
import { describeFilters, sentFilters } from '#src/list/filters/filterTable.ts';
import type { PageFilters } from '#src/list/filters/listFilters.tsx';
import { ListSplit } from '#src/list/ListSplit.tsx';
import { ListStatus } from '#src/list/ListStatus.tsx';
import { useFilters } from '#src/list/filters/useFilters.ts';
import { useHints } from '#src/list/filters/useHints.ts';
import { useList } from '#src/list/useList.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useZone } from '#src/ui/Time.tsx';
import type { Resource, ResourceProps } from './resource.ts';

/** The page of a list: what there is of it, filtered, counted and saved, and the detail that is open beside it. */
export function ResourceListPage<T extends ListRow>({ resource }: ResourceProps<T>) {
  const { noun, title, api, fields, amountOf, start, chart, LookUp, NotOffered } = resource;
  const { account } = useSession();
  const zone = useZone();
  const state = useFilters<PageFilters>(resource.filters);
  const { filters } = state;
  const list = useList({ ...resource, account, table: resource.filters, set: filters });
  const { query, since, fresh } = list;
  const hints = useHints(api.name, account, since !== null);
  const readPage = (of: PageFilters, cursor: string | null, options?: PageOptions) =>
    api.page(sentFilters(of, resource.filters), cursor, { ...options, account });
  // A list that is not in the contract: a service without it answers 404 or 405, and that is no fault.
  const notOffered = NotOffered !== undefined && query.data === undefined && isNotOffered(query.error);
  return (
    <div className="list-page">
      <PageHeader
        title={title}
        asOf={
          <ListStatus
            fresh={fresh}
            noun={noun}
            oldestFirst={filters.order === 'asc'}
            onRefresh={() => void list.readAgain()}
          />
        }
        actions={start && <Start {...start} />}
      />
      {LookUp && (
        <div className="list-lookup">
          <LookUp />
        </div>
      )}
      {!notOffered && (
        <>
          <FilterBar state={state} hints={hints}>
            {chart && <ChartToggle />}
            <ExportButton
              source={{
                name: api.name,
                path: api.path,
                filters,
                keeps: list.keeps,
                columns: csvColumns(fields),
                amountOf,
                readPage,
              }}
              scope={describeFilters(filters, resource.filters, zone)}
            />
          </FilterBar>
        </>
      )}
      <ListSplit
        {...resource}
        columns={resource.tableColumns}
        list={list}
        state={state}
        hints={hints}
        above={chart && <ChartPlace source={{ noun, account, keeps: list.keeps, amountOf, readPage }} state={state} />}
        failed={`Couldn’t load ${resource.whole ?? `the ${noun.many}`}`}
        notOffered={notOffered && <NotOffered status={query.error ? describeError(query.error).status : null} />}
      />
    </div>
  );
}

/** The way to a new one; a session that may only read is told so instead. */
function Start({ to, label, readOnly }: NonNullable<Resource<ListRow>['start']>) {
  if (useSession().read_only) return <span className="small sub">{readOnly}</span>;
  return (
    <Link className={buttonClass('primary')} to={to}>
      <Plus aria-hidden />
      {label}
    </Link>
  );
}
