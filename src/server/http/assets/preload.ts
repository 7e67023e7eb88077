import { KINDS, START_PAGES, START_PATHS } from '#src/shared/operations/kind.ts';
import { LIST_PAGES, paths } from '#src/shared/paths.ts';

/** The part of Vite's manifest that is read here; keys are source files or names of shared chunks. */
export type Manifest = Record<string, { file: string; name?: string; imports?: string[]; css?: string[] } | undefined>;

const LISTS = Object.values(LIST_PAGES).flatMap(({ path, caseFile }): [path: string, parts: string[]][] => {
  const page = `resources${path}`;
  const files: [string, string[]][] = [[`${path}/:id/case-file`, [page, 'resources/ResourceCasePage']]];
  return [[path, [page]], [`${path}/:id`, [page, 'resources/ResourcePage']], ...(caseFile ? files : [])];
});

/** The source files of each page's first view, relative to src/web/. */
export const PAGES: Readonly<Record<string, readonly string[]>> = {
  '/': ['pages/home/HomePage'],
  '/balances': ['pages/balances/BalancesPage'],
  '/balances/:asset': ['pages/balances/BalancePage'],
  ...Object.fromEntries(KINDS.map((kind) => [START_PATHS[kind], [START_PAGES[kind]]])),
  ...Object.fromEntries(LISTS),
  '/addresses': ['pages/addresses/AddressesPage'],
  '/addresses/:id': ['pages/addresses/AddressPage'],
  '/recipients': ['pages/recipients/RecipientsPage'],
  '/recipients/:id': ['pages/recipients/RecipientPage'],
  '/batches': ['pages/batches/BatchesPage'],
  '/batches/new': ['pages/batches/NewBatchPage'],
  '/batches/:id': ['pages/batches/BatchPage'],
  '/standing-payments': ['pages/standing-payments/StandingPaymentsPage'],
  '/operations': ['pages/operations/OperationsPage'],
  '/operations/:key': ['pages/operations/OperationPage'],
  '/api-log': ['pages/api-log/ApiLogPage'],
  '/api-log/:id': ['pages/api-log/ApiLogPage', 'pages/api-log/ApiCallPage'],
  '/simulator': ['pages/simulator/SimulatorPage'],
  '/month-close': ['pages/month-close/MonthClosePage'],
  '/exports': ['pages/exports/ExportsPage'],
  '/notices': ['pages/notices/NoticesPage'],
  '/activity': ['pages/activity/ActivityPage'],
  '/approvals': ['pages/approvals/ApprovalsPage'],
  '/people': ['pages/people/PeoplePage'],
  '/policy': ['pages/policy/PolicyPage'],
  '/account': ['pages/own-account/OwnAccountPage'],
  '/join': ['pages/sign-in/JoinPage'],
};
const BOOT = 'src/web/boot/boot.ts';
const FIRST_ROWS = 'src/web/boot/firstRows.tsx';
const SIGN_IN = ['pages/sign-in/SignInPage'];

const PATTERNS = Object.entries(PAGES).map(
  ([path, parts]) => [new RegExp(`^${path.replaceAll(/:[a-z]+/g, '[^/]+')}$`), parts] as const,
);

/** The source files that a path needs at once; none for an unknown path. The first matching pattern counts. */
export function partsOf(path: string, signedIn: boolean): string[] {
  const parts =
    signedIn || path === paths.join() ? (PATTERNS.find(([pattern]) => pattern.test(path))?.[1] ?? []) : SIGN_IN;
  return parts.map((part) => `src/web/${part}.tsx`);
}

/** Starts the page's first requests while the app's files are loading. */
export function bootScript({ [BOOT]: boot }: Manifest, signedIn: boolean): string {
  return boot && signedIn ? `<script src="/${boot.file}"></script>\n` : '';
}

/** Orders the page's requests: the early script, then the styles, then the app. */
export function inOrder(html: string, early: string): string {
  const styles = /<link rel="stylesheet"[^>]*>\s*/g;
  const first = early + (html.match(styles)?.join('') ?? '');
  return html.replaceAll(styles, '').replace('<title>', () => `${first}<title>`);
}

/** Adds the script that draws the first rows to a list's page, and starts the app from it once the shell is parsed. */
export function withFirstRows(html: string, { [FIRST_ROWS]: rows }: Manifest, app: Manifest, path: string): string {
  const start = app[entryOf(app)];
  if (!rows || !start || !Object.values(LIST_PAGES).some((list) => list.drawnEarly && list.path === path)) return html;
  const modules = /<(?:script type="module"|link rel="modulepreload")[^>]* (?:src|href)="([^"]+)">(?:<\/script>)?\s*/g;
  const links = [...html.matchAll(modules)].map(
    ([, file]) => `<link rel="modulepreload" crossorigin href="${file}">\n`,
  );
  const last = `<script data-app="/${start.file}" src="/${rows.file}"></script>\n${links.join('')}`;
  return html.replaceAll(modules, '').replace('</body>', () => `${last}</body>`);
}

/** The chunk that every page begins with; the HTML names it and what it needs. */
export function entryOf(manifest: Manifest): string {
  return chunkNamed(manifest, 'app');
}

function chunkNamed(manifest: Manifest, name: string): string {
  return Object.keys(manifest).find((key) => manifest[key]?.name === name) ?? '';
}

/** The chunk of a page: its own, or `list`, which holds the page of deposits (see vite.config.ts). */
export function chunkOf(manifest: Manifest, part: string): string {
  return manifest[part] ? part : chunkNamed(manifest, 'list');
}

/** `<link>` elements for what these parts need beyond the entry's own, so that it is read beside the entry and not after it. */
export function preloadLinks(manifest: Manifest, parts: readonly string[]): string {
  const entry = reach(manifest, entryOf(manifest), new Set());
  const wanted = new Set<string>();
  for (const part of parts) reach(manifest, chunkOf(manifest, part), wanted);
  const links = [...wanted].flatMap((name) => {
    const chunk = entry.has(name) ? undefined : manifest[name];
    if (!chunk) return [];
    const styles = (chunk.css ?? []).map((file) => `<link rel="preload" as="style" crossorigin href="/${file}">\n`);
    return [`<link rel="modulepreload" crossorigin href="/${chunk.file}">\n`, ...styles];
  });
  return links.join('');
}

function reach(manifest: Manifest, name: string, found: Set<string>): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of manifest[name]?.imports ?? []) reach(manifest, next, found);
  return found;
}
