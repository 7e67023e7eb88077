import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { createTestBrowser } from '#src/server/http/testBrowser.ts';
import { startGateway } from '#src/server/http/testGateway.ts';
import { gatewayParts, openService } from './openService.ts';
import { readSettings } from './settings.ts';
import { DEEP } from '#src/tests/depth.ts';

const createdSchema = v.object({
  account: v.string(),
  people: v.array(v.object({ id: v.string(), name: v.string(), roles: v.array(v.string()) })),
});

/** A dashboard with the sandbox in its process. */
async function startSandboxDashboard(env: Record<string, string>) {
  const origin = 'http://localhost:4173';
  const settings = readSettings({ DATA_DIR: 'memory', SANDBOX_DEPOSITS: '5', PUBLIC_ORIGIN: origin, ...env });
  const opened = await openService(settings);
  onTestFinished(() => opened.stop());
  const { send } = await startGateway('http://127.0.0.1:9', gatewayParts(settings, opened));
  const browser = (account = '') => createTestBrowser({ send, origin, account });
  return { opened, browser };
}

test('POST /sandbox/people creates an account with four people, who sign in with one click', async () => {
  const { opened, browser } = await startSandboxDashboard({ SIGN_IN: 'passkey' });
  const reply = await browser().call('POST', '/sandbox/people', { deposits: 0, assets: 2 });
  expect(reply.status).toBe(201);
  const { account: sandbox, people } = v.parse(createdSchema, reply.body);
  expect(people.map(({ roles }) => roles)).toEqual([['operator'], ['approver'], ['admin'], ['viewer']]);
  const second = v.parse(createdSchema, (await browser().call('POST', '/sandbox/people', {})).body);
  expect(second.account).not.toBe(sandbox);

  const names: unknown[] = [];
  for (const { id, name } of people) {
    const own = browser();
    const { status, body } = await own.call('POST', '/session/demo', { person: id });
    expect([status, body['person'], body['name'], body['sandbox']]).toEqual([201, id, name, sandbox]);
    const account = String(body['account']);
    expect((await own.call('GET', '/v1/balances', undefined, account)).body['data']).toHaveLength(2);
    const { data } = (await own.call('GET', '/api/people', undefined, account)).body;
    names.push(
      v
        .parse(v.array(v.object({ id: v.string() })), data)
        .map((one) => one.id)
        .toSorted(),
    );
  }
  // Each sees the people of their own account only.
  const own = people.map(({ id }) => id).toSorted();
  expect(names).toEqual([own, own, own, own]);
  // The sign-in page still offers the demo's people only.
  expect(opened.people?.demo?.list.map(({ name }) => name)).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
});

test.runIf(DEEP)('POST /sandbox/people refuses a body that POST /sandbox/accounts refuses', async () => {
  const { browser } = await startSandboxDashboard({ SIGN_IN: 'passkey' });
  const { status, body } = await browser().call('POST', '/sandbox/people', { deposits: -1 });
  expect([status, body.error?.message]).toEqual([400, expect.stringContaining('deposits')]);
});

test.runIf(DEEP)('with SIGN_IN=key there is no POST /sandbox/people', async () => {
  const { browser } = await startSandboxDashboard({});
  expect((await browser().call('POST', '/sandbox/people', {})).status).toBe(404);
});
