import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '#src/server/database/sql.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import { APPROVING_MS, LONGEST_MS, LONGEST_OIDC_MS } from '#src/server/people/sessionAge.ts';
import {
  type ApprovalWorld,
  createApprovalWorld,
  outcomeIn,
  recordAwaitingPayment,
  readOperationState,
} from './testApprovals.ts';
import type { TestBrowser } from './testBrowser.ts';
import { openPeopleDatabase } from './testPeopleWorld.ts';
import { DEEP } from '#src/tests/depth.ts';

// Approving requires a sign-in within the last four hours.

const MINUTE = 60_000;

let database: Database;
beforeAll(async () => {
  database = await openPeopleDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

/** Ages the person's sessions. The server may use its cached session for some seconds more. */
async function ageSession({ person }: { person: string }, byMs: number, longestMs = LONGEST_MS): Promise<void> {
  await database.query('update people.sessions set created_at = created_at - $2, longest_ms = $3 where person = $1', [
    person,
    String(byMs),
    String(longestMs),
  ]);
}

/** Advances the clock so far that the server reads each session again. */
function forgetSessions({ sessionClock }: ApprovalWorld): void {
  sessionClock.passed += 6_000;
}

/** An approval request, signed now. */
async function signedApproval(
  browser: TestBrowser,
  keys: readonly string[],
): Promise<() => ReturnType<TestBrowser['call']>> {
  const decision = { decision: 'approve', keys, seen: [] };
  const { body } = await browser.call('POST', '/api/approvals/ticket', decision);
  const { challenge } = body['options'] as { challenge: string };
  const response = browser.authenticator.sign({ challenge, origin: 'https://money.example', rpId: 'money.example' });
  const proof = { ticket: body['ticket'], response };
  return () => browser.call('POST', '/api/approvals', { ...decision, not_after: Date.now() + MINUTE, proof });
}

const REFUSED = {
  status: 403,
  body: {
    error: {
      code: 'sign_in_again',
      message: 'You signed in more than 4 hours ago. Sign in again to approve. Nothing was approved.',
    },
  },
};

test.each([
  ['with a passkey', LONGEST_MS],
  ['at an identity provider', LONGEST_OIDC_MS],
])('a person who signed in %s more than four hours ago has to sign in again to approve', async (_, longestMs) => {
  const world = await createApprovalWorld(database);
  const { bo, cy, sent } = world;
  const keys = [await recordAwaitingPayment(bo), await recordAwaitingPayment(bo, { address: 'bc1qother' })];
  await ageSession(cy, APPROVING_MS, longestMs);
  forgetSessions(world);
  await expect(cy.approve(keys)).rejects.toThrow('403 sign_in_again');
  expect((await bo.call('GET', `/api/operations/${keys[0]}`)).body['approved']).toEqual([]);
  expect((await cy.signIn()).status).toBe(201);
  expect((await cy.approve(keys)).status).toBe(200);
  await expect.poll(sent).toEqual(keys);
});

test.runIf(DEEP)('within four hours somebody can approve', async () => {
  const world = await createApprovalWorld(database);
  const { bo, cy, sent } = world;
  const key = await recordAwaitingPayment(bo);
  await ageSession(cy, APPROVING_MS - 5 * MINUTE);
  forgetSessions(world);
  expect(outcomeIn(await cy.approve([key]))).toMatchObject({ recorded: true, problem: null });
  await expect.poll(sent).toEqual([key]);
});

test.runIf(DEEP)(
  'the sign-in’s age is checked again by the database’s clock when the approval is recorded',
  async () => {
    const { bo, cy, sent } = await createApprovalWorld(database);
    const key = await recordAwaitingPayment(bo);
    const approve = await signedApproval(cy, [key]);
    await ageSession(cy, APPROVING_MS);
    expect(await approve()).toMatchObject(REFUSED);
    expect(await readOperationState(bo, key)).toBe('awaiting');
    expect(sent()).toEqual([]);
  },
);

test.runIf(DEEP)('a server whose clock is ahead refuses by its own clock', async () => {
  const world = await createApprovalWorld(database);
  const { bo, cy, sent, sessionClock } = world;
  const key = await recordAwaitingPayment(bo);
  await ageSession(cy, APPROVING_MS - 5 * MINUTE);
  forgetSessions(world);
  const approve = await signedApproval(cy, [key]);
  sessionClock.ahead = 6 * MINUTE;
  expect(await approve()).toMatchObject(REFUSED);
  await expect(cy.approve([key])).rejects.toThrow('403 sign_in_again');
  sessionClock.ahead = -6 * MINUTE;
  expect((await approve()).status).toBe(200);
  await expect.poll(sent).toEqual([key]);
});

test('rejecting, withdrawing and blocking work with an old sign-in', async () => {
  const world = await createApprovalWorld(database);
  const { ada, bo, cy, di, sent } = world;
  const [rejected, withdrawn] = [
    await recordAwaitingPayment(bo),
    await recordAwaitingPayment(bo, { address: 'bc1qother' }),
  ];
  await database.query('update people.sessions set created_at = created_at - $1', [String(APPROVING_MS)]);
  forgetSessions(world);
  expect(outcomeIn(await cy.reject([rejected]))).toMatchObject({ recorded: true });
  expect((await bo.call('DELETE', `/api/operations/${withdrawn}`)).status).toBe(200);
  expect((await ada.call('POST', `/api/people/${di.person}/block`, {})).status).toBe(204);
  expect([await readOperationState(bo, rejected), await readOperationState(bo, withdrawn)]).toEqual([
    'not-sent',
    'not-sent',
  ]);
  expect(sent()).toEqual([]);
});
