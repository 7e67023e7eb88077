import {
  FILTER_NAMES,
  LIMIT_MAX,
  type ListFilters,
  type ListName,
  PROVIDER_LISTS,
  PATHS,
} from '#src/shared/contract/contract.ts';
import { OVERVIEW_PATH } from '#src/shared/serverPaths.ts';
import { askParams } from '#src/web/api/overviewParams.ts';
import { PAGE_SIZE, pageQuery, withQuery } from '#src/web/api/paging/pageQuery.ts';
import { START_PATHS } from '#src/shared/operations/kind.ts';
import { BALANCES, HOME, LIST_PAGES, segment } from '#src/shared/paths.ts';
import { FILTER_READS, keysOf, readFilters } from '#src/web/list/filters/filterTable.ts';

const byCursor = (list: string, id: string): string => withQuery(list, pageQuery({ order: 'asc' }, id, 1));
const byId = (list: string, id: string): string => `${list}/${segment(id)}`;

/** The lists by the path of their page. */
const LIST_NAMES_BY_PATH = new Map<string, ListName>(
  keysOf(PROVIDER_LISTS).map((name) => [LIST_PAGES[name].path, name]),
);
const FORMS: readonly string[] = Object.values(START_PATHS);

/**
 * The first requests of the page at this URL. Each must equal the URL of the page's own first read character for
 * character, or takeEarly() doesn't find it.
 */
export function firstRequests(pathname: string, search: string, zone: string): string[] {
  const overview = withQuery(OVERVIEW_PATH, askParams({ zone }, 'refresh'));
  if (pathname === HOME)
    return ['/api/batches?state=paused', overview, '/api/team/marks', '/api/team/standing-payments'];
  if (pathname === BALANCES) return [withQuery(PATHS.balances, pageQuery({}, null, LIMIT_MAX))];
  const [, at, id] = /^(\/[a-z-]+)(?:\/([\w-]{1,200}))?$/.exec(pathname) ?? [];
  if (at === undefined || FORMS.includes(pathname)) return [];
  if (at === BALANCES && id !== undefined) return [byId(PATHS.balances, id)];
  const name = LIST_NAMES_BY_PATH.get(at);
  if (!name) return [];
  const list = PROVIDER_LISTS[name];
  const reads = Object.fromEntries(FILTER_NAMES[name].map((filter) => [filter, FILTER_READS[filter]]));
  const { filters } = readFilters<ListFilters>(new URLSearchParams(search), reads);
  const first = withQuery(list.path, pageQuery(filters, null, PAGE_SIZE));
  return id === undefined ? [first] : [(list.byId ? byId : byCursor)(list.path, id), first];
}
