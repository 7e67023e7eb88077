import { PATHS } from '#src/api/contract.ts';
import { isPosted } from '#src/lib/operations/kinds.ts';

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

function exactly(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

/** What may be forwarded on a path as it stands in the URL: a GET, nothing, or null for a path of nobody's. */
export function allowedMethods(pathname: string): string[] | null {
  if (climbs(pathname)) return null;
  if (READS.some((pattern) => pattern.test(pathname))) return ['GET'];
  // A POST goes through the journal, and never past it.
  return isPosted(pathname) ? [] : null;
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
