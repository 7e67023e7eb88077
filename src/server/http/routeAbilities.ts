import { TrieRouter } from 'hono/router/trie-router';
import { type Ability, ROUTES } from '#src/shared/permissions.ts';

/** Routes that report the outcome of a key to anyone who may see operations, even if they may no longer send. */
const TELLS_ABOUT_KEY = new Set(['PUT /api/operations/:key', 'DELETE /api/operations/:key']);

/** A route of ROUTES that a request matches. `path`: its pattern. */
interface Route {
  path: string;
  ability: Ability;
}

const router = new TrieRouter<Route>();
for (const [route, ability] of ROUTES) {
  const [method = '', path = ''] = route.split(' ');
  router.add(method, path, { path, ability: TELLS_ABOUT_KEY.has(route) ? 'read-operations' : ability });
}

/** Null if the route isn't in ROUTES. */
export function findRoute(method: string, path: string): Route | null {
  const [matches] = router.match(method === 'HEAD' ? 'GET' : method, path);
  return matches[0]?.[0] ?? null;
}

/** The ability that a route requires; null for a route that isn't in ROUTES, which is refused. */
export function routeAbility(method: string, path: string): Ability | null {
  return findRoute(method, path)?.ability ?? null;
}
