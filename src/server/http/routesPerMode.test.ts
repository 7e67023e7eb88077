import { expect, onTestFinished, test, vi } from 'vitest';
import { ROUTES } from '#src/shared/permissions.ts';
import { emptyList, signedIn } from './testGateway.ts';

const OF_PEOPLE_MODE =
  /^\w+ (\/session\/account|\/api\/(people|invites|grants|passkeys|email|sessions|policy|approvals|recipients)(\/|$))/;

/** Written by the month close alone, whatever the mode. */
const NOBODYS_WRITES = /^(POST|PUT|DELETE) \/api\/team\/closed-periods(\/|$)/;

test('with SIGN_IN=key, the routes of people, their approvals and their recipients don’t exist', async () => {
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errorLog.mockRestore());
  const { gateway, call } = await signedIn(emptyList);
  const absent: string[] = [];
  for (const route of ROUTES.keys()) {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern.replace(':collection', 'notes').replace(/:\w+/, 'nothing').replace('*', 'balances');
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
    const { status, text } = await gateway.send(path, { method, headers: { ...gateway.json, ...call }, ...body });
    const { error } = JSON.parse(text);
    if ([404, 405].includes(status) && /^(path|method)_not_allowed$/.test(error.code)) absent.push(route);
  }
  expect(absent).toEqual(
    [...ROUTES.keys()].filter((route) => OF_PEOPLE_MODE.test(route) || NOBODYS_WRITES.test(route)),
  );
});
