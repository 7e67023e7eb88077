import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { NOT_VERIFIED } from '#src/shared/author.ts';
import { type Activity, ACTIVITY_GROUPS, type ActivityGroup } from '#src/shared/contract/activityContract.ts';
import { paths } from '#src/shared/paths.ts';
import { readChoice, readText } from '#src/shared/searchParams.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { activityPages } from '#src/web/api/activity.ts';
import { useCan } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { ChoiceFilter } from '#src/web/list/filters/FilterControl.tsx';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import type { SomeFilters } from '#src/web/list/filters/filterTable.ts';
import { FILTERS, WordFilter } from '#src/web/list/filters/listFilters.tsx';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { Time, ZoneHead } from '#src/web/ui/Time.tsx';
import { activityText } from './activityText.ts';
import { ExportActivity } from './ExportActivity.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';
import type { ListView } from './useListView.ts';

interface Filters extends PageFilters {
  group?: ActivityGroup;
  /** An exact name. */
  who?: string;
}

const GROUPS: Record<ActivityGroup, string> = {
  payments: 'Payments',
  people: 'People',
  'sign-ins': 'Sign-ins',
  notes: 'Notes and settings',
  exports: 'Exports',
};

const { created_after, period, created_before } = FILTERS;

const ACTIVITY_FILTERS: SomeFilters<Filters> = {
  created_after,
  period,
  created_before,
  group: {
    read: (search, name) => readChoice(search, name, ACTIVITY_GROUPS),
    words: (group) => GROUPS[group].toLowerCase(),
    Control: (control) => (
      <ChoiceFilter
        label="Kind"
        choices={ACTIVITY_GROUPS.map((value) => ({ value, label: GROUPS[value] }))}
        {...control}
      />
    ),
  },
  who: {
    read: readText,
    words: (who) => `by ${revealHidden(who)}`,
    Control: ({ value, onChange }) => (
      <WordFilter label="By" value={value} suggestions={() => []} help="A name, exactly." onChange={onChange} />
    ),
  },
};

/** The log of what people did on this account, newest first. */
export const activity = {
  title: 'Activity',
  path: paths.activity,
  noun: { one: 'entry', many: 'entries' },
  label: 'Activity',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ id }) => id,
  filters: ACTIVITY_FILTERS,
  Empty: () => <EmptyState title="Nothing yet">What people do on this account appears here.</EmptyState>,
} satisfies OwnList<Activity, Filters>;

type ActivityView = Pick<ListView<Activity, Filters, string>, 'filterState' | 'scope'>;

export function useActivityRows({ filterState: { filters }, scope }: ActivityView): OwnListRows<Activity> {
  const { account, person } = useSession();
  const canSeeAll = useCan('read-all-activity');
  const { created_after: after, created_before: before, group, who } = filters;
  const sent = {
    ...(after !== undefined && { created_after: after }),
    ...(before !== undefined && { created_before: before }),
    ...(group !== undefined && { group }),
    ...(who !== undefined && { who }),
  };
  const query = useInfiniteQuery(activityPages(account, sent));
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const isOwnOnly = person !== null && !canSeeAll;
  return {
    rows,
    query,
    isEmpty: rows?.length === 0 && scope === '',
    columns,
    asOf: isOwnOnly ? 'What you did. Approvers and admins see everybody’s.' : 'Who did what on this account',
    actions: <ExportActivity filters={sent} disabledReason={rows?.length ? undefined : 'Nothing to export'} />,
    foot: rows && `${counted(rows.length, 'entry', 'entries')}${query.hasNextPage ? ' loaded' : '. End of list'}.`,
  };
}

const columns: DataColumn<Activity>[] = [
  { name: 'Time', head: <ZoneHead word="Time" />, cell: ({ at }) => <Time unix={at} /> },
  { name: 'By', cell: (row) => <Who {...row} /> },
  {
    name: 'What',
    isHead: true,
    className: 'min-w-60 whitespace-normal wrap-anywhere',
    cell: (row) => <What {...row} />,
  },
];

/** A person's name. Marked if it was only typed, which proves nothing. */
function Who({ who, person }: Activity) {
  const isInPeopleMode = useSession().person !== null;
  const part = useRef<HTMLAnchorElement>(null);
  // The rows are removed while those of this person load.
  useReturnFocus(part);
  const nameless = isInPeopleMode ? 'Server' : 'No name';
  if (who === null) return <span className="dim">{person === null ? nameless : 'Unknown'}</span>;
  return (
    <>
      <Link ref={part} to={`${paths.activity}?${new URLSearchParams({ who })}`}>
        <bdi translate="no">{revealHidden(who)}</bdi>
      </Link>
      {person === null && <span className="dim small"> {NOT_VERIFIED}</span>}
    </>
  );
}

function What(row: Activity) {
  const { text, to, words } = activityText(row, useAmountsHidden());
  const shown = <bdi>{revealHidden(text)}</bdi>;
  return (
    <>
      {to === undefined ? shown : <Link to={to}>{shown}</Link>}
      {words !== undefined && words !== '' && (
        <span className="small sub block font-normal">
          “<bdi>{revealHidden(words)}</bdi>”
        </span>
      )}
    </>
  );
}
