import { PATHS } from '#src/api/contract.ts';

const ONE = '[^/]+';

// The reads of part 4 of the contract, and the two lists that a service may offer beside it. Nothing else is forwarded.
const READS = [
  PATHS.balances,
  `${PATHS.balances}/${ONE}`,
  PATHS.deposits,
  PATHS.withdrawals,
  `${PATHS.withdrawals}/${ONE}`,
  PATHS.ledgerEntries,
].map(exactly);
// What the contract has a POST for: it goes through the journal, and never past it.
const POSTS = [PATHS.charges, `${PATHS.webhookDeliveries}/${ONE}/replay`].map(exactly);

function exactly(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

/** What may be forwarded on a path as it stands in the URL: a GET, nothing, or null for a path of nobody's. */
export function allowedMethods(pathname: string): string[] | null {
  if (climbs(pathname)) return null;
  const isOf = (patterns: RegExp[]): boolean => patterns.some((pattern) => pattern.test(pathname));
  if (isOf(READS)) return ['GET'];
  return isOf(POSTS) ? [] : null;
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
