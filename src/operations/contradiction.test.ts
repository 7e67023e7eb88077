import { describe, expect, it } from 'vitest';
import type { Attempt } from '#src/api/http.ts';
import { step } from './engine.ts';
import { type OperationRecord, knownResultId } from './record.ts';
import type { OperationEvent } from './step.ts';
import { T0, answer, created, lost, record } from './testWorld.ts';

// The service stated another payment under the key: the object is kept, and only that very payment, whole, takes it back.

const NOW = T0 * 1_000;
const OTHERWISE = created({ amount: '9' });
const send = (attemptId: string, at: number): OperationEvent => ({ type: 'send', attemptId, at, date: T0 });
const come = (attemptId: string, attempt: Attempt): OperationEvent => {
  return { type: 'answer', attemptId, at: NOW + 200_000, attempt, jitter: 0 };
};
const looked = (object: object, id = 'wd_1'): OperationEvent => {
  return { type: 'checked', object: { id, text: JSON.stringify(object), requestId: 'req_2', date: T0 } };
};

function after(from: OperationRecord, ...events: OperationEvent[]): OperationRecord {
  return events.reduce((now, event) => step(now, event).record ?? now, from);
}

const alarm = after(record(), send('at_1', NOW), come('at_1', answer(201, OTHERWISE)));
/** A frozen tab's answer is logged while another tab sends again. */
const again = after(
  record(),
  send('at_1', NOW),
  { type: 'demote', attemptId: 'at_1' },
  send('at_2', NOW + 50_000),
  come('at_1', answer(201, OTHERWISE)),
);

describe('the object', () => {
  it('is kept as it came, by an answer and by a check', () => {
    const text = JSON.stringify(OTHERWISE);
    expect(alarm.contradiction).toEqual({ id: 'wd_1', text, requestId: 'req_1', by: 'answer' });
    const done = after(record(), send('at_1', NOW), come('at_1', answer(201, { id: 'wd_1' })));
    const found = after(done, looked(OTHERWISE));
    expect(found).toMatchObject({ state: 'unconfirmed', reason: 'mismatch' });
    expect(found.contradiction).toEqual({ id: 'wd_1', text, requestId: 'req_2', by: 'check' });
  });

  it('of a late answer is kept, too, and the first one stays', () => {
    expect(again).toMatchObject({ state: 'sending', contradiction: { id: 'wd_1' } });
    const more = after(again, come('at_2', answer(201, created({ id: 'wd_2', amount: '8' }))));
    expect(more).toMatchObject({ reason: 'mismatch', contradiction: { id: 'wd_1' } });
    expect(knownResultId(more)).toBe('wd_1');
  });

  it('stays in the record when it was taken back', () => {
    expect(after(alarm, looked(created()))).toMatchObject({ state: 'succeeded', contradiction: { id: 'wd_1' } });
  });
});

describe('is taken back', () => {
  it.each<[string, object, Partial<OperationRecord>]>([
    ['the very payment, whole', created(), { state: 'succeeded' }],
    ['one that leaves fields out', { id: 'wd_1' }, { state: 'unconfirmed', reason: 'mismatch' }],
    ['another payment as sent', created({ id: 'wd_2' }), { state: 'unconfirmed', reason: 'mismatch' }],
  ])('by an answer: %s', (_what, object, becomes) => {
    expect(after(again, come('at_2', answer(201, object)))).toMatchObject(becomes);
  });

  it.each<[string, object, string, string]>([
    ['the very payment, whole', created(), 'wd_1', 'succeeded'],
    ['one that leaves fields out', { id: 'wd_1' }, 'wd_1', 'unconfirmed'],
    ['another payment as sent', created({ id: 'wd_2' }), 'wd_2', 'unconfirmed'],
    ['the same that still differs', OTHERWISE, 'wd_1', 'unconfirmed'],
  ])('by a check: %s', (_what, object, id, state) => {
    expect(after(alarm, looked(object, id)).state).toBe(state);
    const open = after(again, come('at_2', lost('timeout')));
    expect(open).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(after(open, looked(object, id)).state).toBe(state);
  });

  it('an alarm of version 1, which kept no object, in the same way', () => {
    const { contradiction, ...old } = alarm;
    expect(contradiction).toBeDefined();
    expect(after(old, looked({ id: 'wd_1' })).state).toBe('unconfirmed');
    expect(after(old, looked(created())).state).toBe('succeeded');
  });
});

it('what a late answer states otherwise leaves a success a success, with the object in the log', () => {
  const done = after(again, come('at_2', answer(201, created())));
  expect(done.state).toBe('succeeded');
  const late = after(
    record(),
    send('at_1', NOW),
    { type: 'demote', attemptId: 'at_1' },
    send('at_2', NOW + 50_000),
    come('at_2', answer(201, created())),
    come('at_1', answer(201, OTHERWISE)),
  );
  expect(late).toMatchObject({ state: 'succeeded', contradiction: { id: 'wd_1' }, attempts: [{ late: true }, {}] });
});
