// How the app's JavaScript is cut into files: a first load takes few, and none holds much that its page does not show.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Rolldown } from 'vite';
import { LIST_PAGES } from '#src/shared/paths.ts';
import { PAGES } from './preload.ts';

type Context = Parameters<Rolldown.CodeSplittingNameFunction>[1];

const LIBRARIES =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack[\\/](react-query|query-core))[\\/]/;
/** Parts of them that no list needs. */
const LATER = /[\\/](queriesObserver|mutationObserver|useQueries|useMutation)\.js$/;
/** What may come with a small module. */
const SHARED_LIBRARIES = new RegExp(`${LIBRARIES.source}|valibot|decimal`);
const LISTS = Object.values(LIST_PAGES).map(({ path }) => resolve(`src/web/resources${path}.tsx`));
const DEPOSITS = resolve(`src/web/resources${LIST_PAGES.deposits.path}.tsx`);
/** Small, and on most pages. */
const STATUS = resolve('src/web/list/rows/StatusCell.tsx');
/** Small, and read by Home too. */
const READS =
  /src[\\/](web[\\/](api[\\/]lists\.ts|resources[\\/](ledgerSource|SourceLink)\.tsx?)|shared[\\/]groupBy\.ts)$/;
/** All of them are imported from one index. */
const ICONS = /lucide-react[\\/]dist[\\/]esm[\\/](icons[\\/]|lucide-react\.)/;

const ENTRY = resolve('src/web/main.tsx');
const FIRST_SCREENS = [...new Set(Object.values(PAGES).flat())].map((part) => resolve(`src/web/${part}.tsx`));
/** Pages that may show parts of a list page, but no list; the API log is one. */
const OTHERS = FIRST_SCREENS.filter((page) => page.includes('pages') && !page.includes('api-log'));
/** Characters of a module that is small, and pages whose first screens make it everybody's. */
const SMALL = 3_500;
const MANY = 3;
/** Small, and on two pages that add up anyway. */
const BALANCES = /src[\\/]web[\\/]list[\\/]balanceColumns\.tsx$/;
/** Adding up, and what operations and addresses are called: who needs one of them needs the file that it is in. */
const NEEDS = {
  money: /src[\\/]shared[\\/]money\.ts$/,
  words: /src[\\/](shared[\\/](chains|operations)|web[\\/]api[\\/]team|shared[\\/]contract[\\/]team)/,
};
const imported = new Map<string, ReadonlySet<string>>();

function isNeededBy(page: string, id: string, context: Context): boolean {
  const known = imported.get(page) ?? importsOf(page, context);
  imported.set(page, known);
  return known.has(id);
}

function importsOf(id: string, context: Context, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(id) || ICONS.test(id) || LATER.test(id)) return found;
  found.add(id);
  for (const next of context.getModuleInfo(id)?.importedIds ?? []) importsOf(next, context, found);
  return found;
}

const iconsOf = new Map<string, readonly string[]>();

/** The file names of the icons that a module of ours imports. */
function iconsIn(id: string): readonly string[] {
  const known = iconsOf.get(id);
  if (known) return known;
  const [, names = ''] =
    (id.endsWith('.tsx') && /import \{([^}]+)\} from 'lucide-react'/.exec(readFileSync(id, 'utf8'))) || [];
  const files = [...names.matchAll(/[A-Z]\w+/g)].map(([name]) =>
    name.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase(),
  );
  iconsOf.set(id, files);
  return files;
}

/** Whether an icon is drawn by what every page needs, or by every list. */
function isOfFirstScreen(icon: string, context: Context): boolean {
  const first = [ENTRY, STATUS, ...LISTS].map((page) =>
    [...importsOf(page, context)].filter((id) => id.includes('src')),
  );
  return first.flat().some((id) => iconsIn(id).includes(icon));
}

function isOfApp(id: string, context: Context): boolean {
  const needs = (page: string) => isNeededBy(page, id, context);
  const ofLists = LISTS.every(needs) || READS.test(id);
  return [ENTRY, STATUS].some(needs) || (ofLists && OTHERS.some(needs));
}

/** Where a small module goes that several pages need at once: a file costs a slow machine more than what it holds. */
function sharedFile(id: string, context: Context): string | null {
  if (LATER.test(id)) return 'shared';
  if (!/[\\/]src[\\/]/.test(id) || (context.getModuleInfo(id)?.code?.length ?? 0) > SMALL) return null;
  const screens = FIRST_SCREENS.filter((page) => isNeededBy(page, id, context));
  if (screens.length < MANY && !BALANCES.test(id)) return null;
  const own = [...importsOf(id, context)].filter((each) => !isOfApp(each, context));
  if (own.some((each) => /node_modules/.test(each) && !SHARED_LIBRARIES.test(each))) return null;
  const [money, words] = [NEEDS.money, NEEDS.words].map((file) => own.some((each) => file.test(each)));
  if (money && words) return null;
  return money ? 'money' : words ? 'words' : 'shared';
}

/** The first group that takes a module keeps it; what none takes is put together by the pages that need it. */
export const CHUNK_GROUPS: Rolldown.CodeSplittingGroup[] = [
  { name: 'react', test: (id) => LIBRARIES.test(id) && !LATER.test(id) },
  {
    debugName: 'app',
    name: (id, context) => {
      const [, icon] = /lucide-react[\\/].*[\\/]icons[\\/]([\w-]+)\.\w+$/.exec(id) ?? [];
      if (icon !== undefined) return isOfFirstScreen(icon, context) ? 'app' : null;
      return isOfApp(id, context) ? 'app' : null;
    },
  },
  {
    debugName: 'list',
    // One page is small and goes with it: another file costs a first load more.
    name: (id, context) => (id === DEPOSITS || LISTS.every((page) => isNeededBy(page, id, context)) ? 'list' : null),
  },
  { debugName: 'shared', name: sharedFile },
  { name: 'icons', test: /lucide-react[\\/]/, minShareCount: 2 },
  // What forms, the address book and the journal's pages have in common.
  {
    name: 'journal',
    test: /src[\\/](web[\\/]api[\\/](team|operations[\\/](operations|useOperations))|shared[\\/](contract[\\/](gatewayContract|teamContract)|chains[\\/](names|lookAlike)|operations[\\/]))/,
    minShareCount: 3,
  },
  // For the months of the ledger.
  { name: 'moves', test: /src[\\/]web[\\/]resources[\\/]ledgerMoves\.ts$/ },
  // What closing a month needs later is there with its page.
  { name: 'month', test: /src[\\/]web[\\/]pages[\\/]month-close[\\/](readMonth|rows|sums|walkRange|period)\.ts$/ },
  // What Home and the page of one asset have in common; nothing of it may bring the decimals with it.
  {
    name: 'overview',
    test: /src[\\/]web[\\/](api[\\/](payments|operations[\\/]openPayments|paging[\\/]rowsBack)|ui[\\/]Updated)\.tsx?$/,
    minShareCount: 2,
  },
];
