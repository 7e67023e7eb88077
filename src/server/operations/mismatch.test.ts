import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '#src/shared/answers.ts';
import { type OperationRecord, knownResultId, mayBeAbsent } from '#src/shared/operations/record.ts';
import { step } from './engine.ts';
import type { OperationEvent } from './events.ts';
import { START, answer, attemptWith, created, lost, operationRecord } from './testAnswers.ts';

// The service returned another payment under the key: the object is kept until the same payment arrives with every field.

const OTHERWISE = created({ amount: '9' });
const send = (attemptId: string): OperationEvent => ({
  type: 'send',
  attemptId,
  date: START.service,
  who: null,
  person: null,
});
const come = (attemptId: string, attempt: AttemptResult, taken = false): OperationEvent => {
  return { type: 'answer', attemptId, attempt, jitter: 0, taken };
};
const looked = (object: object, id = 'wd_1', taken = false): OperationEvent => {
  return { type: 'checked', object: { id, text: JSON.stringify(object), requestId: 'req_2', date: null }, taken };
};

/** A minute passes before each event. */
function after(from: OperationRecord, ...events: OperationEvent[]): OperationRecord {
  return events.reduce((now, event, index) => {
    const ms = (index + 1) * 60_000;
    return step(now, event, { server: START.server + ms, database: START.database + ms }).record ?? now;
  }, from);
}

const alarm = after(operationRecord(), send('at_1'), come('at_1', answer(201, OTHERWISE)));
/** An answer that comes while another attempt runs. */
const again = after(
  operationRecord(),
  send('at_1'),
  { type: 'demote' },
  send('at_2'),
  come('at_1', answer(201, OTHERWISE)),
);

describe('the contradicting object', () => {
  it('is stored unchanged, from an answer and from a check', () => {
    const text = JSON.stringify(OTHERWISE);
    expect(alarm.contradiction).toEqual({ id: 'wd_1', text, requestId: 'req_1', by: 'answer' });
    const done = after(operationRecord(), send('at_1'), come('at_1', answer(201, { id: 'wd_1' })));
    const found = after(done, looked(OTHERWISE));
    expect(found).toMatchObject({ state: 'unconfirmed', reason: 'mismatch' });
    expect(found.contradiction).toEqual({ id: 'wd_1', text, requestId: 'req_2', by: 'check' });
    expect(found.result ?? found.ended).toBeUndefined();
  });

  it('of a late answer is stored, and does not replace an earlier one', () => {
    expect(again).toMatchObject({ state: 'sending', contradiction: { id: 'wd_1' } });
    const more = after(again, come('at_2', answer(201, created({ id: 'wd_2', amount: '8' }))));
    expect(more).toMatchObject({ reason: 'mismatch', contradiction: { id: 'wd_1' } });
    expect(knownResultId(more)).toBe('wd_1');
  });

  it('stays in the record after the contradiction is resolved', () => {
    expect(after(alarm, looked(created()))).toMatchObject({ state: 'succeeded', contradiction: { id: 'wd_1' } });
  });

  it.each([
    ['Application/JSON', false],
    ['text/plain', false],
    [null, false],
    ['text/html', true],
  ])(
    'after a 2xx cut short with Content-Type %s, absence from the list proves that it was not sent: %s',
    (contentType, proves) => {
      const cut = { ...operationRecord(), attempts: [attemptWith({ outcome: 'unclean-success', contentType })] };
      expect(mayBeAbsent(cut)).toBe(proves);
    },
  );

  it('keeps the operation from being confirmed as not sent', () => {
    expect(mayBeAbsent(alarm)).toBe(false);
    expect(mayBeAbsent(operationRecord({ attempts: again.attempts }))).toBe(false);
  });
});

describe('an id that another operation has', () => {
  it('is a mismatch, by an answer and by a check', () => {
    const answered = after(operationRecord(), send('at_1'), come('at_1', answer(201, created()), true));
    expect(answered).toMatchObject({ state: 'unconfirmed', reason: 'mismatch', contradiction: { id: 'wd_1' } });
    const open = after(again, come('at_2', lost()));
    expect(after(open, looked(created(), 'wd_1', true))).toMatchObject({ state: 'unconfirmed', reason: 'mismatch' });
  });
});

describe('a contradiction is resolved', () => {
  it.each<[string, object, Partial<OperationRecord>]>([
    ['the same payment with all fields', created(), { state: 'succeeded' }],
    ['the same payment without all fields', { id: 'wd_1' }, { state: 'unconfirmed', reason: 'mismatch' }],
    ['another payment as sent', created({ id: 'wd_2' }), { state: 'unconfirmed', reason: 'mismatch' }],
  ])('by an answer: %s', (_what, object, becomes) => {
    expect(after(again, come('at_2', answer(201, object)))).toMatchObject(becomes);
  });

  it.each<[string, object, string, string]>([
    ['the same payment with all fields', created(), 'wd_1', 'succeeded'],
    ['the same payment without all fields', { id: 'wd_1' }, 'wd_1', 'unconfirmed'],
    ['another payment as sent', created({ id: 'wd_2' }), 'wd_2', 'unconfirmed'],
    ['the same that still differs', OTHERWISE, 'wd_1', 'unconfirmed'],
    ['an object of another id', created({ id: 'wd_9' }), 'wd_1', 'unconfirmed'],
  ])('by a check: %s', (_what, object, id, state) => {
    expect(after(alarm, looked(object, id)).state).toBe(state);
    const open = after(again, come('at_2', lost()));
    expect(open).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(after(open, looked(object, id)).state).toBe(state);
  });
});

// Seed 28378 of the simulator: three attempts, of which two are answered late.
it('two ids under one key never count as one payment, whichever is returned later', () => {
  const resent = [send('at_1'), { type: 'demote' }, send('at_2'), { type: 'demote' }, send('at_3')] as const;
  const open = after(operationRecord(), ...resent, come('at_3', answer(201, OTHERWISE)));
  const second = after(open, come('at_1', answer(201, created({ id: 'wd_2' }))));
  const first = after(second, come('at_2', answer(201, created())));
  for (const now of [open, second, first]) expect(now).toMatchObject({ state: 'unconfirmed', reason: 'mismatch' });
});

it('a check proves success only by an id from a 2xx under this key', () => {
  const open = after(operationRecord(), send('at_1'), come('at_1', lost()));
  expect(after(open, looked(created()))).toBe(open);
  const over = after(open, { type: 'close', who: null, person: null, words: 'Seen.' });
  expect(over.state).toBe('closed');
  expect(after(over, looked(created()))).toBe(over);
});

it('a check confirms the fields that the answer lacked, once', () => {
  const partly = after(operationRecord(), send('at_1'), come('at_1', answer(201, { id: 'wd_1', asset: 'BTC' })));
  expect(partly.result?.confirmed).toEqual(['asset']);
  const whole = after(partly, looked(created()));
  expect(whole).toMatchObject({ state: 'succeeded', result: { by: 'check', confirmed: { length: 4 } } });
  expect(after(whole, looked(created()))).toBe(whole);
});
