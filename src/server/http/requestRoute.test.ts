import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROUTES } from '#src/shared/permissions.ts';
import { requestRoute } from './requestRoute.ts';

test.each([
  ['GET', '/api/operations', '/api/operations'],
  ['PUT', '/api/operations/secret-key', '/api/operations/:key'],
  ['HEAD', '/api/operations/secret-key', '/api/operations/:key'],
  ['POST', '/api/people/4711/block', '/api/people/:id/block'],
  ['GET', '/v1/withdrawals/wd_1', '/v1/*'],
  ['POST', '/session', '/session'],
  ['GET', '/session/oidc/callback', '/session/oidc/callback'],
  ['GET', '/assets/index-1.js', '/assets/*'],
  ['GET', '/withdrawals/wd_1', '/*'],
  ['PATCH', '/api/operations/secret-key', '/*'],
])('%s %s is %s', (method, path, route) => {
  expect(requestRoute(method, path)).toBe(route);
});

test('any requested path maps to one of few patterns', () => {
  const patterns = new Set([...ROUTES.keys()].map((route) => route.slice(route.indexOf(' ') + 1)));
  fc.assert(
    fc.property(fc.string(), fc.webPath(), (method, path) => {
      const route = requestRoute(method, path);
      expect(
        patterns.has(route) || /^\/(\*|healthz|readyz|session.*|api\/join|sandbox\/\*|assets\/\*)$/.test(route),
      ).toBe(true);
    }),
  );
});
