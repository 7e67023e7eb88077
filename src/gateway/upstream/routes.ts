import { LISTS, PATHS } from '#src/api/contract.ts';
import { isPosted } from '#src/lib/operations/kinds.ts';

const ONE = '[^/]+';

// Balances and the lists, and one of each that can be asked for by its id. Nothing else is forwarded.
const READS = [{ path: PATHS.balances, byId: true }, ...Object.values(LISTS)]
  .flatMap(({ path, byId }) => (byId ? [path, `${path}/${ONE}`] : [path]))
  .map(exactly);

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
