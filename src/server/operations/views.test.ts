import { KEY_RIGHTS, READ_ONLY_RIGHTS, REFUSED_KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { describe, expect, it } from 'vitest';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { STATES } from '#src/shared/operations/states.ts';
import { type Circumstances, allowedActions, viewOf } from './views.ts';
import { ACCOUNT, START, T0, attemptWith, operationRecord } from './testAnswers.ts';
import { createTestWorld } from './testWorld.ts';
import { instantOf } from './ports.ts';

// The actions that a page offers: to a session that may send, only read, only close, or only check.

const later = (seconds: number) => ({
  service: START.service + seconds,
  server: START.server + seconds * 1_000,
  database: START.database + seconds * 1_000,
});
const HOURS = 3_600;
const everything: Circumstances = {
  now: later(60),
  isServiceTimeKnown: true,
  rights: KEY_RIGHTS,
  checkOnly: false,
  isBeforeSetBack: false,
  signatureProblem: null,
  person: null,
  isStopped: false,
  approvals: 0,
};
const circumstances = (more: Partial<Circumstances>): Circumstances => ({ ...everything, ...more });

const open = (more: Partial<OperationRecord> = {}) =>
  operationRecord({ state: 'unconfirmed', reason: 'no-answer', ...more });
const WHY = expect.any(String);

describe('a session that may send', () => {
  it.each<[string, OperationRecord, string[]]>([
    ['ready', operationRecord(), ['send', 'discard']],
    ['ready under way', operationRecord({ leaseUntil: later(61).database }), []],
    ['sending', operationRecord({ state: 'sending', leaseUntil: later(61).database }), []],
    ['unconfirmed', open(), ['check', 'resend', 'close']],
    ['signed out', open({ reason: 'signed-out' }), ['check', 'resend', 'close']],
    ['a stored failure', open({ reason: 'stored-failure' }), ['check', 'close']],
    ['a key conflict', open({ reason: 'key-conflict' }), ['check', 'close']],
    ['a mismatch', open({ reason: 'mismatch' }), ['check', 'close']],
    ['an unconfirmed charge', open({ kind: 'charge', path: '/v1/charges', body: '{}' }), ['resend', 'close']],
    ['succeeded', operationRecord({ state: 'succeeded' }), ['check', 'start-another']],
    ['a charge that succeeded', operationRecord({ state: 'succeeded', kind: 'charge' }), ['start-another']],
    ['refused', operationRecord({ state: 'refused' }), ['edit-as-new']],
    ['not sent', operationRecord({ state: 'not-sent' }), ['start-another']],
    ['closed', operationRecord({ state: 'closed' }), ['start-another']],
  ])('%s', (_what, one, allowed) => {
    expect(allowedActions(one, everything)).toEqual({ allowed, disabled: {} });
    expect(STATES[one.state].actions).toEqual(expect.arrayContaining(allowed));
  });

  it('must wait for a due retry, and for an attempt that may still be finishing', () => {
    const at = later(60).server;
    expect(allowedActions(open({ retryAt: at + 5_000 }), everything).disabled).toEqual({ resend: WHY, close: WHY });
    expect(allowedActions(open({ asleepUntil: at + 15_000 }), everything).disabled).toEqual({ resend: WHY });
    expect(allowedActions(open({ asleepUntil: at + 15_001, retryAt: at + 60_001 }), everything).disabled).toEqual({});
  });

  it.each(['service', 'server', 'database'] as const)('can’t send after 23 h by the %s’s clock', (clock) => {
    const now = { ...later(60), [clock]: later(23 * HOURS)[clock] };
    expect(allowedActions(open(), circumstances({ now })).disabled).toEqual({ resend: WHY });
    expect(allowedActions(operationRecord(), circumstances({ now })).disabled).toEqual({ send: WHY });
  });

  it('may only check or close an operation older than a set-back of the journal', () => {
    const { allowed, disabled } = allowedActions(open(), circumstances({ isBeforeSetBack: true }));
    expect(allowed.filter((action) => disabled[action] === undefined)).toEqual(['check', 'close']);
  });

  it('may confirm as not sent from 26 h after the last send, unless there was a 2xx', () => {
    const at = (seconds: number, more: object = {}) =>
      allowedActions(open(more), circumstances({ now: later(seconds) })).allowed;
    expect(at(26 * HOURS - 1)).not.toContain('confirm-not-sent');
    expect(at(26 * HOURS)).toContain('confirm-not-sent');
    expect(at(26 * HOURS, { lastSent: later(1) })).not.toContain('confirm-not-sent');
    expect(at(26 * HOURS, { attempts: [attemptWith({ resultId: 'wd_1' })] })).not.toContain('confirm-not-sent');
    expect(at(26 * HOURS, { kind: 'charge' })).not.toContain('confirm-not-sent');
  });
});

describe('a session that only reads', () => {
  const only = circumstances({ rights: READ_ONLY_RIGHTS, now: later(26 * HOURS) });

  it('sees every action but the check as disabled', () => {
    const { allowed, disabled } = allowedActions(open(), only);
    expect(allowed.filter((action) => disabled[action] === undefined)).toEqual(['check']);
    const ready = allowedActions(operationRecord(), circumstances({ rights: READ_ONLY_RIGHTS }));
    expect(ready).toEqual({ allowed: ['send', 'discard'], disabled: { send: WHY, discard: WHY } });
  });
});

describe('a session whose key is refused', () => {
  const only = circumstances({ rights: REFUSED_KEY_RIGHTS, now: later(26 * HOURS) });

  it('can only close: actions that need the service are disabled', () => {
    const { allowed, disabled } = allowedActions(open(), only);
    expect(allowed.filter((action) => disabled[action] === undefined)).toEqual(['close']);
    const done = allowedActions(operationRecord({ state: 'succeeded' }), only);
    expect(done.allowed.filter((action) => done.disabled[action] === undefined)).toEqual([]);
  });

  it('can discard a ready operation', () => {
    expect(allowedActions(operationRecord(), only).disabled).toEqual({ send: WHY });
  });
});

describe('an operation recorded under another key of the account', () => {
  it('can be checked and closed, never sent or confirmed as not sent', () => {
    const only = circumstances({ checkOnly: true, now: later(26 * HOURS) });
    expect(allowedActions(open(), only)).toEqual({ allowed: ['check', 'close'], disabled: {} });
    expect(allowedActions(operationRecord(), only)).toEqual({ allowed: ['discard'], disabled: {} });
  });
});

describe('a view', () => {
  const { operations: _, actorOf } = createTestWorld().server();
  const actor = actorOf();
  const at = instantOf(actor, { now: START.database });
  const seen = {
    actor,
    at,
    setBackAt: null,
    serviceNow: null,
    checks: [],
    peopleSign: false,
    approved: [],
    stopped: null,
  };

  it('contains no account, service or API key', () => {
    const text = JSON.stringify(viewOf(operationRecord(), seen));
    for (const secret of [ACCOUNT, 'https://pay.example', 'sk_a']) expect(text).not.toContain(secret);
  });

  it('of another account’s record allows only checking and closing', () => {
    expect(viewOf(open({ account: 'b'.repeat(32) }), seen)).toMatchObject({
      checkOnly: true,
      allowed: ['check', 'close'],
    });
  });

  it('advances the service’s clock if it is unknown', () => {
    expect(viewOf(open(), seen)).toMatchObject({
      serviceNow: null,
      expired: false,
      absenceProvesFrom: T0 + 26 * HOURS,
    });
    expect(viewOf(open(), { ...seen, serviceNow: T0 + 23 * HOURS })).toMatchObject({ expired: true });
  });
});
