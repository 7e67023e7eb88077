import { TrieRouter } from 'hono/router/trie-router';
import { type Ability, ROUTES } from '#src/shared/permissions.ts';

/** Routes that tell anyone who may see operations what became of a key, even if they can't ask for the operation any more. */
const TELLS_ABOUT_KEY = new Set(['PUT /api/operations/:key', 'DELETE /api/operations/:key']);

const router = new TrieRouter<Ability>();
for (const [route, ability] of ROUTES) {
  const [method = '', path = ''] = route.split(' ');
  router.add(method, path, TELLS_ABOUT_KEY.has(route) ? 'read-operations' : ability);
}

/** The ability that a route requires; null if the route isn't in ROUTES, so nobody may use it. */
export function routeAbility(method: string, path: string): Ability | null {
  const [matches] = router.match(method === 'HEAD' ? 'GET' : method, path);
  return matches[0]?.[0] ?? null;
}
