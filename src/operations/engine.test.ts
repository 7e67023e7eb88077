import { describe, expect, it } from 'vitest';
import type { Attempt } from '#src/api/http.ts';
import { step } from './engine.ts';
import { type OperationRecord, mayHavePaid } from './record.ts';
import { isWaiting, sleepsUntil } from './sleep.ts';
import type { OperationEvent } from './step.ts';
import { T0, answer, created, envelope, lost, record } from './testWorld.ts';

const NOW = T0 * 1_000;
const send = (at = NOW, date = T0, attemptId = 'at_1'): OperationEvent => ({ type: 'send', attemptId, at, date });
const come = (attempt: Attempt, attemptId = 'at_1', at = NOW + 1_000): OperationEvent => ({
  type: 'answer',
  attemptId,
  at,
  attempt,
  jitter: 0,
});

/** The record after these events; an event that changes nothing fails the test. */
function after(...events: OperationEvent[]): OperationRecord {
  return events.reduce((now, event) => {
    const next = step(now, event);
    if (next.record === null) throw new Error(next.refused);
    return next.record;
  }, record());
}

describe('states', () => {
  it('goes from ready to sending with its attempt, and posts', () => {
    const next = step(record(), send());
    expect(next.record).toMatchObject({
      state: 'sending',
      revision: 1,
      attempts: [{ id: 'at_1', start: NOW, end: null }],
    });
    expect(next.effects).toEqual([{ type: 'post', attemptId: 'at_1' }]);
  });

  it('sends nothing from 23 hours on, ready or unconfirmed', () => {
    const limit = T0 + 23 * 3_600;
    expect(step(record(), send(NOW, limit - 1)).record).not.toBeNull();
    expect(step(record(), send(NOW, limit)).record).toBeNull();
    const open = after(send(), come(lost('timeout')));
    expect(step(open, send(NOW + 60_000, limit - 1, 'at_2')).record).not.toBeNull();
    expect(step(open, send(NOW + 60_000, limit, 'at_2')).record).toBeNull();
    expect(step(record(), { type: 'discard', at: 0 }).record?.state).toBe('not-sent');
  });

  it('discards only what is ready', () => {
    expect(step(after(send()), { type: 'discard', at: 0 }).record).toBeNull();
    expect(step(after(send(), come(lost('network'))), { type: 'discard', at: 0 }).record).toBeNull();
  });

  it('may have paid from the moment it is sending until a final no', () => {
    expect([after(send()), after(send(), come(lost('network')))].map(mayHavePaid)).toEqual([true, true]);
    const refused = after(send(), come(answer(400, envelope('x'))));
    expect([record(), after({ type: 'discard', at: 0 }), refused].map(mayHavePaid)).toEqual([false, false, false]);
  });

  it('goes back to where it was sent from when the gateway forwarded nothing', () => {
    const refused = answer(401, envelope('x'), { gatewayError: 'session' });
    expect(after(send(), come(refused))).toMatchObject({ state: 'ready', attempts: [{ gatewayError: 'session' }] });
    const signedOut = after(send(), come(answer(403, envelope('x'))));
    const again = step(signedOut, send(NOW + 5_000, T0, 'at_2')).record ?? signedOut;
    const back = step(again, come(refused, 'at_2', NOW + 6_000)).record;
    expect(back).toMatchObject({ state: 'unconfirmed', reason: 'signed-out' });
  });

  it('rests 15 s after a lost attempt, and a clock set back does not prolong it', () => {
    const open = after(send(), come(lost('timeout')));
    expect(sleepsUntil(open, NOW + 1_000)).toBe(NOW + 16_000);
    expect(step(open, send(NOW + 15_999, T0, 'at_2')).record).toBeNull();
    expect(step(open, send(NOW + 16_000, T0, 'at_2')).record?.state).toBe('sending');
    expect(sleepsUntil(open, NOW - 30 * 3_600_000)).toBeNull();
  });

  it.each([
    [answer(500, envelope('x'), { replayed: true }), 'stored-failure'],
    [answer(409, envelope('idempotency_key_reused')), 'key-conflict'],
    [answer(201, created({ amount: '7' })), 'mismatch'],
  ])('can only be checked after %#', (came, reason) => {
    const open = after(send(), come(came));
    expect(open).toMatchObject({ state: 'unconfirmed', reason });
    expect(step(open, send(NOW + 60_000, T0, 'at_2')).record).toBeNull();
  });

  it('takes a late success in any state that is not final, and only logs any other late answer', () => {
    const demoted = after(send(), { type: 'demote', attemptId: 'at_1' });
    expect(step(demoted, come(answer(201, created()))).record?.state).toBe('succeeded');
    const logged = step(demoted, come(answer(400, envelope('x')))).record;
    expect(logged).toMatchObject({
      state: 'unconfirmed',
      reason: 'no-answer',
      attempts: [{ outcome: 'refused', late: true }],
    });
    const again = step(demoted, send(NOW + 50_000, T0, 'at_2')).record ?? demoted;
    expect(step(again, come(answer(201, created()))).record?.state).toBe('succeeded');
    expect(step(again, come(answer(500, ''))).record?.state).toBe('sending');
    const mismatch = step(again, come(answer(201, created({ amount: '9' })))).record;
    expect(mismatch).toMatchObject({ state: 'sending', attempts: [{ resultId: 'wd_1', late: true }, {}] });
  });

  it('takes an answer once', () => {
    const open = after(send(), come(lost('timeout')));
    expect(step(open, come(answer(201, created()))).record).toBeNull();
  });
});

describe('automatic retry', () => {
  const wait = (retryAfter: string | null) => answer(503, '', { retryAfter });

  it('is due after what the service asks, or after a default', () => {
    expect(after(send(), come(wait('5'))).retryAt).toBe(NOW + 6_000);
    expect(after(send(), come(wait(null))).retryAt).toBe(NOW + 2_000);
    expect(after(send(), come(wait('60'))).retryAt).toBe(NOW + 61_000);
    expect(after(send(), come(wait('61'))).retryAt).toBeUndefined();
    expect(isWaiting(after(send(), come(wait('5'))), NOW + 2_000)).toBe(true);
  });

  it('happens at most 3 times, and by the timer that is in the record', () => {
    let now = after(send(), come(wait(null)));
    for (let retry = 1; retry <= 3; retry += 1) {
      const retryAt = now.retryAt ?? 0;
      expect(step(now, { type: 'retry', attemptId: 'x', at: retryAt, retryAt: retryAt + 1 }).record).toBeNull();
      const attemptId = `auto_${retry}`;
      now = step(now, { type: 'retry', attemptId, at: retryAt, retryAt }).record ?? now;
      expect(now.state).toBe('sending');
      now = step(now, come(wait(null), attemptId, retryAt + 10)).record ?? now;
    }
    expect(now).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(now.retryAt).toBeUndefined();
  });

  it('never starts more than 2 minutes after the first, nor more than 10 s off its time', () => {
    const late = step(after(send()), come(wait('60'), 'at_1', NOW + 61_000)).record;
    expect(late?.retryAt).toBeUndefined();
    const due = after(send(), come(wait('5')));
    const retryAt = due.retryAt ?? 0;
    const at = (off: number) => step(due, { type: 'retry', attemptId: 'x', at: retryAt + off, retryAt }).record;
    expect(at(10_000)).not.toBeNull();
    expect(at(10_001)).toBeNull();
    expect(at(-10_001)).toBeNull();
  });

  it('is the person again after a reload: Resend wakes when its time has passed', () => {
    const due = after(send(), come(wait('5')));
    expect(step(due, send(NOW + 5_999, T0, 'at_2')).record).toBeNull();
    expect(step(due, send(NOW + 6_000, T0, 'at_2')).record?.state).toBe('sending');
  });

  it('gives up when its timer sends nothing', () => {
    const due = after(send(), come(wait('5')));
    const over = step(due, { type: 'give-up', retryAt: due.retryAt ?? 0 }).record;
    expect(over).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(over?.retryAt).toBeUndefined();
  });
});

describe('a check by id', () => {
  const looked = (object: object, id = 'wd_1'): OperationEvent => ({
    type: 'checked',
    object: { id, text: JSON.stringify(object), requestId: 'req_2', date: T0 },
  });
  const mismatched = after(send(), come(answer(201, created({ amount: '9' }))));

  it('concludes success only by an id of a 2xx under this key, with every stated field as sent', () => {
    expect(step(mismatched, looked(created({ status: 'broadcasted' }))).record).toMatchObject({ state: 'succeeded' });
    expect(step(mismatched, looked(created({ id: 'wd_2' }), 'wd_2')).record).toBeNull();
    expect(step(mismatched, looked(created({ id: 'wd_2' }))).record).toBeNull();
    expect(step(after(send(), come(lost('timeout'))), looked(created())).record).toBeNull();
  });

  it('does not lift an alarm by leaving out what differed', () => {
    expect(step(mismatched, looked({ id: 'wd_1' })).record).toBeNull();
    expect(step(mismatched, looked(created({ amount: null }))).record).toBeNull();
  });

  it('is the only way out of succeeded: a field that differs', () => {
    const done = after(send(), come(answer(201, { id: 'wd_1' })));
    expect(done.result?.confirmed).toEqual([]);
    expect(step(done, looked(created())).record?.result?.confirmed).toHaveLength(4);
    const bad = step(done, looked(created({ address: 'elsewhere' }))).record;
    expect(bad).toMatchObject({ state: 'unconfirmed', reason: 'mismatch' });
    expect(bad?.result).toBeUndefined();
  });
});
