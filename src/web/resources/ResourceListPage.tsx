import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { Plus, ChartColumn, Columns3, Download } from 'lucide-react';
import { useMemo, useState, lazy, Suspense } from 'react';
import { isNotOffered, saysNotFound } from '#src/web/api/errors.ts';
import { useSession } from '#src/web/api/session.ts';
import type { RowExtras } from '#src/web/list/rows/cellContext.ts';
import { headOf, type ListRow } from '#src/web/list/fields.tsx';
import { FilterBar } from '#src/web/list/filters/FilterBar.tsx';
import { FilterControl } from '#src/web/list/filters/FilterControl.tsx';
import { describeFilters, sentFilters } from '#src/web/list/filters/filterTable.ts';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import { type FilterState, useFilters, useHints } from '#src/web/list/filters/useFilters.ts';
import type { AmountSort } from '#src/web/list/rows/sortRows.ts';
import type { ListOrder } from '#src/web/list/rows/TableRow.tsx';
import { ListSplit } from '#src/web/list/ListSplit.tsx';
import { ListStatus } from '#src/web/list/ListStatus.tsx';
import { useList } from '#src/web/list/useList.ts';
import { usePreferences, setPreferences } from '#src/web/storage/preferences.ts';
import { Button, type ButtonVariant } from '#src/web/ui/Button.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { PageHeader } from '#src/web/ui/PageHeader.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { deferred, useLoaded } from '#src/web/ui/useLoaded.ts';
import { columnFields, everyColumn, fieldsNamed, NOTE } from './listColumns.ts';
import type { Resource, ResourceProps } from './resource.ts';
import type { DayChartProps } from '#src/web/chart/DayChart.tsx';
import type { ExportChoice } from '#src/web/export/ExportDialog.tsx';
import type { ExportFilters } from '#src/shared/contract/jobsContract.ts';
import type { PageOptions } from '#src/web/api/paging/paging.ts';

export function ResourceListPage<T extends ListRow>({ resource }: ResourceProps<T>) {
  const { noun, title, start, firstStep = start, chart, LookUp, NotOffered } = resource;
  const { account } = useSession();
  const { chartShown } = usePreferences();
  const state = useFilters<PageFilters>(resource.filters);
  const { filters } = state;
  const list = useList({ ...resource, account, table: resource.filters, set: filters });
  const { query, since, newRows, keeps } = list;
  // The contract doesn't require this list, so a service without it is not an error.
  const isNotFound = saysNotFound(query.error);
  const notOffered = NotOffered !== undefined && query.data === undefined && isNotOffered(query.error);
  const failed = `Couldn’t load ${resource.whole ?? noun.many}`;
  const order = useOrder(resource, state, list.sort);
  const isRead = since !== null;
  const table = useTable(resource, isRead);
  // Memoized: new rows must not render the bar again.
  const bar = useMemo(() => <Bar resource={resource} isRead={isRead} />, [resource, isRead]);
  return (
    <div className="list-page">
      <PageHeader
        title={title}
        asOf={
          <ListStatus
            newRows={newRows}
            noun={noun}
            oldestFirst={order.oldestFirst}
            onRefresh={() => void list.readAgain()}
          />
        }
        actions={start && <Start {...start} />}
      />
      {LookUp && notOffered && (
        <div className="list-lookup min-h-18 narrow:min-h-20">
          <LookUp />
        </div>
      )}
      {!notOffered && bar}
      {table.loader}
      <ListSplit
        {...resource}
        {...table.drawn}
        order={order}
        list={list}
        state={state}
        above={chart && chartShown && <ListChart resource={resource} account={account} keeps={keeps} state={state} />}
        failed={failed}
        start={firstStep && <Start {...firstStep} variant="plain" />}
        notOffered={
          notOffered && (
            <div className="page-body">
              {!isNotFound && <LoadError of={query} heading={failed} />}
              <NotOffered isNotFound={isNotFound} />
            </div>
          )
        }
      />
    </div>
  );
}

const NEXT_SORT = { none: 'largest', largest: 'smallest', smallest: undefined } as const;

/** How the list is sorted: by time by the service, by amount in this page. */
function useOrder<T extends ListRow>(
  { filters: table }: Resource<T>,
  { filters, change }: FilterState<PageFilters>,
  sort: AmountSort,
): NonNullable<ListOrder> {
  const oldestFirst = filters.order === 'asc';
  const isComparable = filters.asset !== undefined;
  return useMemo(() => {
    const byAmount = () => change({ sort: NEXT_SORT[sort ?? 'none'] });
    return {
      oldestFirst,
      toggle: () => change(sort ? { sort: undefined } : { order: oldestFirst ? undefined : 'asc' }),
      amount: table.sort && { sort, toggle: isComparable ? byAmount : null },
    };
  }, [table, change, oldestFirst, isComparable, sort]);
}

function pageReader<T extends ListRow>({ api, filters }: Resource<T>, account: string) {
  return (of: PageFilters, cursor: string | null, options?: PageOptions) =>
    api.page(sentFilters(of, filters), cursor, { ...options, account });
}

interface BarProps<T extends ListRow> extends ResourceProps<T> {
  isRead: boolean;
}

function Bar<T extends ListRow>({ resource, isRead }: BarProps<T>) {
  const { api, at, columns, more = [], chart } = resource;
  const zone = useZone();
  const state = useFilters<PageFilters>(resource.filters);
  const { filters } = state;
  const choices = everyColumn(resource).slice(1, -1);
  return (
    <FilterBar state={state} hints={useHints(api.name, isRead)}>
      {chart && <ChartToggle />}
      {more.length > 0 && (
        <FilterControl label="Columns" value="" set={false} icon={<Columns3 aria-hidden />}>
          <ColumnsForm
            list={at}
            choices={fieldsNamed(columnFields(resource), choices).map((field) => ({
              name: field.name,
              label: headOf(field),
            }))}
            usual={columns}
          />
        </FilterControl>
      )}
      <ExportButton
        list={api.name}
        filters={exportFilters(filters)}
        scope={describeFilters(filters, resource.filters, zone)}
      />
    </FilterBar>
  );
}

const ColumnsForm = deferred(() => import('./columns.tsx').then((read) => read.ColumnsForm));

const NO_EXTRAS: RowExtras = {};
const LoadTeamExtras = deferred(() => import('./rowExtras.ts').then((read) => read.LoadTeamExtras));

/** The table with the chosen columns. Names and notes load after the first page (`isRead`), by `loader`. */
function useTable<T extends ListRow>({ at, tableOf, payment }: Resource<T>, isRead: boolean) {
  const chosen = usePreferences().columns[at];
  const table = useMemo(() => tableOf(chosen), [tableOf, chosen]);
  const [extras, setExtras] = useState(NO_EXTRAS);
  const hasNotes = table.columns.some(({ id }) => id === NOTE.name);
  const loader = payment && isRead && <LoadTeamExtras kind={payment} hasNotes={hasNotes} onChange={setExtras} />;
  return { drawn: { ...table, extras }, loader };
}

/** Link to the form for a new item. */
function Start({ to, label, variant = 'primary' }: { to: string; label: string; variant?: ButtonVariant }) {
  return (
    <ActionLink ability="prepare" variant={variant} to={to} icon={<Plus aria-hidden />}>
      {label}
    </ActionLink>
  );
}

// The chart's code and requests load when it is opened.
const loadChart = () => import('#src/web/chart/DayChart.tsx');

interface ListChartProps<T extends ListRow> extends ResourceProps<T> {
  account: string;
  keeps: (row: T) => boolean;
  state: FilterState<PageFilters>;
}

function ListChart<T extends ListRow>({ resource, account, keeps, state }: ListChartProps<T>) {
  const { noun, at, amountOf, recipientOf } = resource;
  const readPage = pageReader(resource, account);
  const source = { noun, account, at, keeps, amountOf, readPage, ...(recipientOf && { recipientOf }) };
  return <ChartPlace source={source} state={state} />;
}

function ChartPlace(props: DayChartProps) {
  const { value, failed } = useLoaded(loadChart);
  if (value) return <value.DayChart {...props} />;
  return <div className="chart-place">{failed && 'Couldn’t load the chart. Reload the page.'}</div>;
}

function ChartToggle() {
  const { chartShown } = usePreferences();
  return (
    <Button
      variant="quiet"
      icon={<ChartColumn aria-hidden />}
      data-tip="Chart"
      aria-expanded={chartShown}
      onClick={() => setPreferences({ chartShown: !chartShown })}
    >
      Chart
    </Button>
  );
}

// The export's code loads with its dialog.
const ExportDialog = lazy(() =>
  import('#src/web/export/ExportDialog.tsx').then((module) => ({ default: module.ExportDialog })),
);

/** The filters without those that only the page uses. */
function exportFilters({ period: _period, sort: _sort, ...filters }: PageFilters): ExportFilters {
  return filters;
}

function ExportButton(choice: ExportChoice) {
  // The filters at the click are exported, even if they change meanwhile.
  const [dialogProps, setDialogProps] = useState<ExportChoice | null>(null);
  return (
    <>
      <Button
        variant="quiet"
        icon={<Download aria-hidden />}
        data-tip="Export"
        data-keys="E"
        onClick={() => setDialogProps(choice)}
      >
        Export
      </Button>
      {dialogProps && (
        <Suspense>
          <ExportDialog {...dialogProps} onClose={() => setDialogProps(null)} />
        </Suspense>
      )}
    </>
  );
}
