/** The part of Vite's manifest that is read here; keys are source files or names of shared chunks. */
export type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] } | undefined>;

// Which page a path opens. A path that is missing here only loads a little later: the route table is in app/router.tsx.
const PAGES: [RegExp, string][] = [
  [/^\/$/, 'pages/home/HomePage'],
  [/^\/balances$/, 'pages/balances/BalancesPage'],
  [/^\/balances\/[^/]+$/, 'pages/balances/BalancePage'],
  [/^\/deposits$/, 'resources/deposits'],
  [/^\/deposits\/new-address$/, 'pages/deposits/NewAddressPage'],
  [/^\/charges\/new$/, 'pages/charges/NewChargePage'],
  [/^\/webhook-deliveries\/replay$/, 'pages/webhook-deliveries/ReplayPage'],
  [/^\/withdrawals$/, 'resources/withdrawals'],
  [/^\/withdrawals\/new$/, 'pages/withdrawals/NewWithdrawalPage'],
  [/^\/address-book$/, 'pages/address-book/AddressBookPage'],
  [/^\/ledger$/, 'resources/ledger'],
  [/^\/requests$/, 'pages/requests/RequestsPage'],
  [/^\/operations\/[^/]+$/, 'pages/operations/OperationPage'],
];
const SIGN_IN = 'pages/sign-in/SignInPage';
/** Stands above every page, and pushes it down if it comes later. */
const BANNER = 'src/pages/operations/Banner.tsx';

/** The source file of the page that a path opens; null for one that this table leaves out. */
export function pageOf(path: string, signedIn: boolean): string | null {
  const page = signedIn ? PAGES.find(([pattern]) => pattern.test(path))?.[1] : SIGN_IN;
  return page ? `src/${page}.tsx` : null;
}

/** The source files that a path shows at once: its page, and the banner above it. */
export function partsOf(path: string, signedIn: boolean): string[] {
  const page = pageOf(path, signedIn);
  return [...(page === null ? [] : [page]), ...(signedIn ? [BANNER] : [])];
}

/** `<link>` elements for what these parts need beyond the entry's own, so that it is read beside the entry and not after it. */
export function preloadLinks(manifest: Manifest, parts: readonly string[]): string {
  const entry = reach(manifest, 'index.html', new Set());
  const wanted = new Set<string>();
  for (const part of parts) reach(manifest, part, wanted);
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
