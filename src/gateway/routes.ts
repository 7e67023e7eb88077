import { PATHS } from '#src/api/contract.ts';

const ONE = '[^/]+';

// Part 4 of the contract, and the two lists that a service may offer beside it. Nothing else is forwarded.
const ROUTES: [RegExp, string[]][] = [
  [exactly(PATHS.balances), ['GET']],
  [exactly(`${PATHS.balances}/${ONE}`), ['GET']],
  [exactly(PATHS.deposits), ['GET', 'POST']],
  [exactly(PATHS.withdrawals), ['GET', 'POST']],
  [exactly(`${PATHS.withdrawals}/${ONE}`), ['GET']],
  [exactly(PATHS.ledgerEntries), ['GET']],
  [exactly(PATHS.charges), ['POST']],
  [exactly(`${PATHS.webhookDeliveries}/${ONE}/replay`), ['POST']],
];

function exactly(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

/** Methods that may be forwarded on a path as it stands in the URL; null for a path that may not. */
export function allowedMethods(pathname: string): string[] | null {
  const methods = ROUTES.find(([pattern]) => pattern.test(pathname))?.[1];
  return methods && !climbs(pathname) ? methods : null;
}

/** True for an id that could mean another path to a service which decodes before it splits. */
function climbs(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname)
      .split(/[/\\]/)
      .some((part) => part === '.' || part === '..');
  } catch {
    return true;
  }
}
