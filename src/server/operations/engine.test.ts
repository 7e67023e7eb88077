import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '#src/shared/answers.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { mayHavePaid } from '#src/shared/operations/states.ts';
import { isLeased, isWaiting, cooldownUntil } from './clocks.ts';
import { step } from './engine.ts';
import type { OperationEvent } from './events.ts';
import { START, answer, created, envelope, lost, operationRecord } from './testAnswers.ts';

const NOW = START.server;
const instant = (ms: number) => ({ server: NOW + ms, database: NOW + ms });
const clocks = (ms: number) => ({ ...instant(ms), service: START.service + Math.floor(ms / 1_000) });
type At = [event: OperationEvent, ms: number];

const send = (ms = 0, attemptId = 'at_1'): At => [
  { type: 'send', attemptId, date: clocks(ms).service, who: 'Ann', person: null },
  ms,
];
const come = (attempt: AttemptResult, attemptId = 'at_1', ms = 1_000): At => [
  { type: 'answer', attemptId, attempt, jitter: 0, taken: false },
  ms,
];
const retry = (retryAt: number, ms: number, attemptId = 'at_2'): At => [{ type: 'retry', attemptId, retryAt }, ms];
const unmade = (attemptId = 'at_1', ms = 1_000): At => [{ type: 'not-made', attemptId }, ms];
const refusedConnection = (attemptId: string, ms = 1_000): At => [
  { type: 'not-connected', attemptId, who: 'Ann', person: null, automatic: false },
  ms,
];
const close = (ms: number, words = 'Seen at the service.'): At => [
  { type: 'close', who: 'Ann', person: null, words },
  ms,
];

const apply = (from: OperationRecord, [event, ms]: At) => step(from, event, instant(ms));

/** The record after these events; fails if an event changes nothing. */
function after(...events: At[]): OperationRecord {
  return events.reduce((now, event) => {
    const next = apply(now, event);
    if (next.record === null) throw new Error(next.rejection);
    return next.record;
  }, operationRecord());
}

describe('states', () => {
  it('goes from ready to sending with its attempt, its lease and its send by every clock', () => {
    expect(after(send(60_000))).toMatchObject({
      state: 'sending',
      revision: 1,
      firstSent: START,
      lastSent: clocks(60_000),
      leaseUntil: NOW + 100_000,
      attempts: [{ id: 'at_1', start: NOW + 60_000, end: null, by: 'person', who: 'Ann', from: { state: 'ready' } }],
    });
  });

  it('sends once: nothing while it is sending, nothing when it ended', () => {
    for (const one of [
      after(send()),
      after(send(), come(answer(201, created()))),
      after(send(), come(answer(400, envelope('x')))),
    ]) {
      expect(apply(one, send(60_000, 'at_2')).record).toBeNull();
    }
  });

  it('discards only a ready operation that no server is about to send', () => {
    const discard: At = [{ type: 'discard', who: 'Ann', person: null }, 0];
    expect(apply(operationRecord(), discard).record).toMatchObject({
      state: 'not-sent',
      ending: { by: 'discard', who: 'Ann', person: null },
    });
    expect(apply(operationRecord({ leaseUntil: NOW + 1 }), discard).record).toBeNull();
    expect(apply(after(send()), discard).record).toBeNull();
    expect(apply(after(send(), come(lost('network'))), discard).record).toBeNull();
  });

  it('may have paid from the moment it is sending until a final no', () => {
    expect(
      [after(send()), after(send(), come(lost())), after(send(), come(lost()), close(16_000))].map(mayHavePaid),
    ).toEqual([true, true, true]);
    const discarded = after([{ type: 'discard', who: null, person: null }, 0]);
    const refused = after(send(), come(answer(400, envelope('x'))));
    expect([operationRecord(), discarded, refused].map(mayHavePaid)).toEqual([false, false, false]);
  });

  it('pauses Resend for 15 s after a lost attempt, and a clock set back does not prolong it', () => {
    const open = after(send(), come(lost()));
    expect(cooldownUntil(open, NOW + 1_000)).toBe(NOW + 16_000);
    expect(apply(open, send(15_999, 'at_2')).record).toBeNull();
    expect(apply(open, send(16_000, 'at_2')).record?.state).toBe('sending');
    expect(cooldownUntil(open, NOW - 30 * 3_600_000)).toBeNull();
  });

  it.each([
    [answer(500, envelope('x'), { replayed: true }), 'stored-failure'],
    [answer(409, envelope('idempotency_key_reused')), 'key-conflict'],
    [answer(201, created({ amount: '7' })), 'mismatch'],
  ])('can only be checked after %#', (came, reason) => {
    const open = after(send(), come(came));
    expect(open).toMatchObject({ state: 'unconfirmed', reason });
    expect(apply(open, send(60_000, 'at_2')).record).toBeNull();
  });

  it('can be sent again when signed out', () => {
    expect(after(send(), come(answer(401, '')), send(2_000, 'at_2')).state).toBe('sending');
  });

  it('records the answer to an attempt only once', () => {
    const open = after(send(), come(lost()));
    expect(apply(open, come(answer(201, created()))).record).toBeNull();
  });
});

describe('an attempt that sent nothing', () => {
  it('restores the state from before this attempt', () => {
    expect(after(send(), unmade())).toMatchObject({ state: 'ready', attempts: [{ outcome: 'not-made' }] });
    expect(after(refusedConnection('at_1'))).toMatchObject({
      state: 'ready',
      attempts: [{ outcome: 'not-made', lost: 'network', end: NOW + 1_000 }],
    });
  });

  it('leaves the operation unconfirmed if an earlier attempt connected', () => {
    const before = after(send(), come(answer(403, envelope('x'))));
    const again = after(send(), come(answer(403, envelope('x'))), send(2_000, 'at_2'), unmade('at_2', 3_000));
    const refused = apply(before, refusedConnection('at_2', 2_000)).record;
    for (const one of [again, refused]) expect(one).toMatchObject({ state: 'unconfirmed', reason: 'signed-out' });
  });

  it('changes nothing if the record moved on meanwhile', () => {
    expect(apply(after(send()), refusedConnection('at_2')).record).toBeNull();
    expect(apply(after(send(), come(answer(201, created()))), refusedConnection('at_2')).record).toBeNull();
  });

  it('ends the lease that the operation was recorded with', () => {
    const open = operationRecord({ leaseUntil: NOW + 40_000 });
    expect(apply(open, refusedConnection('at_1')).record?.leaseUntil).toBeUndefined();
  });
});

describe('leases', () => {
  it('a sending operation becomes unconfirmed when its lease ends, not before', () => {
    const demote = (ms: number) => apply(after(send()), [{ type: 'demote' }, ms]).record;
    expect(demote(39_999)).toBeNull();
    expect(demote(40_000)).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
  });

  it('a lease too far in the future counts as expired', () => {
    const ahead = { ...after(send()), leaseUntil: NOW + 40_001 };
    expect(isLeased(ahead, NOW)).toBe(false);
    expect(apply(ahead, [{ type: 'demote' }, 0]).record?.state).toBe('unconfirmed');
  });

  it('depends on the database’s clock alone', () => {
    const one = after(send());
    const demoted = (server: number, database: number) => step(one, { type: 'demote' }, { server, database }).record;
    expect(demoted(NOW + 3_600_000, NOW)).toBeNull();
    expect(demoted(NOW, NOW + 40_000)?.state).toBe('unconfirmed');
  });
});

describe('a new API key of the account', () => {
  const keyChanged: At = [{ type: 'key-changed' }, 1_000];

  it('ends what was not sent, even if a send is about to begin, and then nothing is sent', () => {
    const ended = apply(operationRecord({ leaseUntil: NOW + 40_000 }), keyChanged).record;
    expect(ended).toMatchObject({
      state: 'not-sent',
      ending: { by: 'discard', words: 'The API key changed.', who: null, person: null },
    });
    expect(ended && apply(ended, send(2_000)).record).toBeNull();
  });

  it('ends nothing that may have been sent', () => {
    for (const one of [after(send()), after(send(), come(lost())), after(send(), come(answer(201, created())))])
      expect(apply(one, keyChanged).record).toBeNull();
  });
});

describe('late answers', () => {
  const demoted = after(send(), [{ type: 'demote' }, 40_000]);

  it('a late success is applied in any state that is not final, any other answer is only noted', () => {
    expect(apply(demoted, come(answer(201, created()), 'at_1', 50_000)).record?.state).toBe('succeeded');
    expect(apply(demoted, come(answer(400, envelope('x')), 'at_1', 50_000)).record).toMatchObject({
      state: 'unconfirmed',
      reason: 'no-answer',
      attempts: [{ outcome: 'refused', late: true }],
    });
    const again = apply(demoted, send(60_000, 'at_2')).record ?? demoted;
    expect(apply(again, come(answer(201, created()))).record?.state).toBe('succeeded');
    expect(apply(again, come(answer(500, ''))).record?.state).toBe('sending');
    const mismatch = apply(again, come(answer(201, created({ amount: '9' })))).record;
    expect(mismatch).toMatchObject({
      state: 'sending',
      contradiction: { id: 'wd_1' },
      attempts: [{ resultId: 'wd_1', late: true }, {}],
    });
  });

  it.each<[string, OperationRecord]>([
    ['closed', after(send(), come(lost()), close(20_000))],
    ['not-sent', operationRecord({ ...demoted, state: 'not-sent' })],
    ['refused', operationRecord({ ...demoted, state: 'refused' })],
  ])('a late 2xx of a %s operation is stored, and the state stays', (state, over) => {
    const waiting = { ...over, attempts: over.attempts.map((note) => ({ ...note, end: null })) };
    const late = apply(waiting, come(answer(201, created(), { date: START.service + 70 }), 'at_1', 70_000)).record;
    expect(late).toMatchObject({ state, result: { id: 'wd_1', by: 'answer' }, ended: { service: START.service + 70 } });
  });

  it('a second answer after a success only adds its note', () => {
    const again = after(send(), [{ type: 'demote' }, 40_000], send(60_000, 'at_2'), come(answer(201, created())));
    const late = apply(again, come(answer(409, envelope('idempotency_key_reused')), 'at_2', 61_000)).record;
    expect(late).toMatchObject({ state: 'succeeded', attempts: [{}, { late: true, outcome: 'key-conflict' }] });
  });

  it('another payment under the key of a success is stored as a contradiction', () => {
    const again = after(send(), [{ type: 'demote' }, 40_000], send(60_000, 'at_2'), come(answer(201, created())));
    const twice = apply(again, come(answer(201, created({ id: 'wd_2' })), 'at_2', 61_000)).record;
    expect(twice).toMatchObject({ contradiction: { id: 'wd_2' } });
  });
});

describe('automatic retry', () => {
  const wait = (retryAfter: string | null) => answer(503, '', { retryAfter });

  it('is due after the time that the service asks for, or after a default', () => {
    expect(after(send(), come(wait('5'))).retryAt).toBe(NOW + 6_000);
    expect(after(send(), come(wait(null))).retryAt).toBe(NOW + 2_000);
    expect(after(send(), come(wait('60'))).retryAt).toBe(NOW + 61_000);
    expect(after(send(), come(wait('61')))).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(after(send(), come(wait('61'))).retryAt).toBeUndefined();
    expect(isWaiting(after(send(), come(wait('5'))), NOW + 2_000)).toBe(true);
  });

  it('disables Resend and Close until then', () => {
    const waiting = after(send(), come(wait('5')));
    expect(apply(waiting, send(5_999, 'at_2')).record).toBeNull();
    expect(apply(waiting, close(5_999)).record).toBeNull();
    expect(apply(waiting, send(6_000, 'at_2')).record?.state).toBe('sending');
    expect(apply(waiting, close(6_000)).record?.state).toBe('closed');
  });

  it('happens at most 3 times, and only for the recorded timer', () => {
    let now = after(send(), come(wait(null)));
    for (let at = 2; at <= 4; at += 1) {
      const due = now.retryAt ?? 0;
      expect(apply(now, retry(due + 1, due - NOW, `at_${at}`)).record).toBeNull();
      now = apply(now, retry(due, due - NOW, `at_${at}`)).record ?? now;
      expect(now).toMatchObject({ state: 'sending', attempts: { length: at } });
      now = apply(now, come(wait(null), `at_${at}`, due - NOW + 100)).record ?? now;
    }
    expect(now).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(now.retryAt).toBeUndefined();
  });

  it('starts no later than 2 minutes after the first attempt', () => {
    const until = (ms: number) => after(send(), come(wait('60'), 'at_1', ms)).retryAt;
    expect(until(60_000)).toBe(NOW + 120_000);
    expect(until(60_001)).toBeUndefined();
  });

  it('sends nothing if it wakes late or early, and giving up leaves it to the person', () => {
    const waiting = after(send(), come(wait('5')));
    const due = waiting.retryAt ?? 0;
    expect(apply(waiting, retry(due, 16_001)).record).toBeNull();
    expect(apply(waiting, retry(due, -4_001)).record).toBeNull();
    expect(apply(waiting, retry(due, 16_000)).record?.state).toBe('sending');
    const left = apply(waiting, [{ type: 'give-up', retryAt: due }, 6_000]).record;
    expect(left).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(left?.retryAt).toBeUndefined();
  });

  it('notes its cause', () => {
    const due = NOW + 2_000;
    const because = (came: AttemptResult) => after(send(), come(came), retry(due, 2_000)).attempts[1];
    expect(because(wait(null))).toMatchObject({
      by: 'automatic',
      who: null,
      person: null,
      date: null,
      because: 'asked-to-wait',
    });
    expect(because(answer(200, '<html>'))).toMatchObject({ because: 'unclean-success' });
  });
});
