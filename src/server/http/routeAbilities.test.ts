import { describe, expect, test } from 'vitest';
import { ROUTES } from '#src/shared/permissions.ts';
import { COLLECTIONS } from '#src/shared/contract/teamContract.ts';
import { createTestWorld } from '#src/server/operations/testWorld.ts';
import { createOperationsApp } from '#src/server/operations/routes.ts';
import { createJobsApp } from '#src/server/jobs/routes.ts';
import { createNoticesApp } from '#src/server/notices/routes.ts';
import { findNothingOutside } from '#src/server/overview/outside.ts';
import { createOverviews } from '#src/server/overview/overviews.ts';
import { createOverviewApp } from '#src/server/overview/routes.ts';
import { testClock } from '#src/server/overview/testProvider.ts';
import { createTeamApp } from '#src/server/team/routes.ts';
import { startBody, emptyList, NO_JOBS, NO_NOTICES, NO_TEAM, refusalIn, signedIn } from './testGateway.ts';
import { routeAbility } from './routeAbilities.ts';

const options = { newRequestId: () => 'req_1', reportFailure: () => undefined, mono: () => 0 };
const methodOf = (route: string) => route.slice(0, route.indexOf(' '));
/** A path that matches the route, with a collection and ids in place of its parameters. */
const pathOf = (route: string) =>
  route
    .slice(route.indexOf(' ') + 1)
    .replace(':collection', 'notes')
    .replace(/:key|:id|:number/, 'a')
    .replace('*', 'balances');

describe('the table of routes', () => {
  test('contains every route of the server’s own API', () => {
    const { operations } = createTestWorld().server();
    const { service, rows } = operations.ports;
    const overviews = createOverviews({ service, rows, clock: testClock() });
    const apps = [
      createOperationsApp(operations, options),
      createTeamApp(NO_TEAM, options),
      createJobsApp(NO_JOBS, options),
      createNoticesApp(NO_NOTICES, options),
      createOverviewApp({ overviews, findOutside: findNothingOutside, team: NO_TEAM }, options),
    ];
    const declared = apps.flatMap(({ routes }) => routes).filter(({ method }) => method !== 'ALL');
    expect(declared.length).toBeGreaterThan(20);
    const collections = Object.keys(COLLECTIONS);
    for (const { method, path } of declared) {
      const paths = path.includes(':collection')
        ? collections.map((name) => path.replace(':collection', name))
        : [path];
      // Two collections can only be read and added to, and addresses come from the journal: the handlers refuse the rest.
      for (const each of paths) expect(routeAbility(method, each), `${method} ${each}`).not.toBeNull();
    }
  });

  test.each([...ROUTES])('%s needs %s', (route, ability) => {
    const answersAnyone = /^(?:PUT|DELETE) \/api\/operations\/:key$/.test(route);
    expect(routeAbility(methodOf(route), pathOf(route))).toBe(answersAnyone ? 'read-operations' : ability);
  });

  test('refuses routes that it doesn’t contain', async () => {
    for (const [method, path] of [
      ['PATCH', '/api/operations/a'],
      ['POST', '/api/operations/a/pay'],
      ['GET', '/api/operations/a/b/c'],
      ['PUT', '/api/team/unknown/a'],
      ['POST', '/v1/withdrawals'],
      ['GET', '/api/unknown'],
      ['PUT', '/api/people'],
    ] as const)
      expect(routeAbility(method, path), `${method} ${path}`).toBeNull();
    const { gateway, call } = await signedIn(emptyList);
    const answer = await gateway.api(call, 'PATCH', '/key-1', startBody());
    expect([answer.status, refusalIn(answer).code]).toEqual([403, 'not_permitted']);
  });
});
