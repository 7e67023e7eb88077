/** The part of Vite's manifest that is read here; keys are source files or names of shared chunks. */
export type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] } | undefined>;

// Which page a path opens. A path that is missing here only loads a little later: the route table is in app/router.tsx.
const PAGES: [RegExp, string][] = [
  [/^\/$/, 'home/HomePage'],
  [/^\/balances$/, 'balances/BalancesPage'],
  [/^\/balances\/[^/]+$/, 'balances/BalancePage'],
  [/^\/deposits$/, 'deposits/DepositsPage'],
  [/^\/deposits\/new-address$/, 'deposits/NewAddressPage'],
  [/^\/charges\/new$/, 'charges/NewChargePage'],
  [/^\/webhook-deliveries\/replay$/, 'webhook-deliveries/ReplayPage'],
  [/^\/withdrawals$/, 'withdrawals/WithdrawalsPage'],
  [/^\/withdrawals\/new$/, 'withdrawals/NewWithdrawalPage'],
  [/^\/address-book$/, 'address-book/AddressBookPage'],
  [/^\/ledger$/, 'ledger/LedgerPage'],
  [/^\/requests$/, 'requests/RequestsPage'],
  [/^\/operations\/[^/]+$/, 'operations/OperationPage'],
];
const SIGN_IN = 'sign-in/SignInPage';

/** The source file of the page that a path opens; null for one that this table leaves out. */
export function pageOf(path: string, signedIn: boolean): string | null {
  const page = signedIn ? PAGES.find(([pattern]) => pattern.test(path))?.[1] : SIGN_IN;
  return page ? `src/pages/${page}.tsx` : null;
}

/** `<link>` elements for what a page needs beyond the entry's own, so that it is read beside the entry and not after it. */
export function preloadLinks(manifest: Manifest, page: string | null): string {
  const entry = reach(manifest, 'index.html', new Set());
  const wanted = page === null ? new Set<string>() : reach(manifest, page, new Set());
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
