import { FILTER_NAMES, LIMIT_MAX, type ListFilters, PATHS } from '#src/api/contract.ts';
import { ASKED_STATUSES, PAGE_SIZE, pageQuery, statusFilters, withQuery } from '#src/api/paging/pageQuery.ts';
import { START_PATHS } from '#src/lib/operations/kind.ts';
import { paths, segment } from '#src/lib/paths.ts';
import { FILTER_READS, readFilters } from '#src/list/filters/filterTable.ts';

const byCursor = (list: string, id: string): string => withQuery(list, pageQuery({ order: 'asc' }, id, 1));
const byId = (list: string, id: string): string => `${list}/${segment(id)}`;
const whole = (list: string): string => withQuery(list, pageQuery({}, null, LIMIT_MAX));

/** Each list by the address of its page, with how one of its rows is looked up. */
const LISTS = {
  [paths.deposits()]: { path: PATHS.deposits, filters: FILTER_NAMES.deposits, rowOf: byCursor },
  [paths.withdrawals()]: { path: PATHS.withdrawals, filters: FILTER_NAMES.withdrawals, rowOf: byId },
  [paths.ledger()]: { path: PATHS.ledgerEntries, filters: FILTER_NAMES['ledger-entries'], rowOf: byCursor },
};
/** Whether something waits too long or has failed, which Home says first. */
const ofStatus = (list: string, statuses: readonly string[]): string[] =>
  statuses.map((status) => withQuery(list, pageQuery(statusFilters(status, status === 'failed'), null, LIMIT_MAX)));
const HOME = [
  ...[PATHS.balances, PATHS.deposits, PATHS.withdrawals].map(whole),
  ...ofStatus(PATHS.deposits, ASKED_STATUSES.deposit),
  ...ofStatus(PATHS.withdrawals, ASKED_STATUSES.withdrawal),
];
const FORMS: readonly string[] = Object.values(START_PATHS);

/** What the page at an address asks the service for first, as far as the address says it; the page's queries ask the same. */
export function firstRequests(pathname: string, search: string): string[] {
  if (pathname === paths.home) return HOME;
  if (pathname === paths.balances) return [whole(PATHS.balances)];
  const [, at, id] = /^(\/[a-z]+)(?:\/([\w-]{1,200}))?$/.exec(pathname) ?? [];
  if (at === undefined || FORMS.includes(pathname)) return [];
  if (at === paths.balances && id !== undefined) return [byId(PATHS.balances, id)];
  const list = LISTS[at];
  if (!list) return [];
  const reads = Object.fromEntries(list.filters.map((name) => [name, FILTER_READS[name]]));
  const { filters } = readFilters<ListFilters>(new URLSearchParams(search), reads);
  const first = withQuery(list.path, pageQuery(filters, null, PAGE_SIZE));
  return id === undefined ? [first] : [list.rowOf(list.path, id), first];
}
