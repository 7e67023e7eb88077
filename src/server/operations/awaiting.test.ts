import { expect, test } from 'vitest';
import { BATCH_STARTABLE_SECONDS, type OperationRecord } from '#src/shared/operations/record.ts';
import { step } from './engine.ts';
import type { OperationEvent } from './events.ts';
import { START, answer, batchLine, envelope, operationRecord } from './testAnswers.ts';

// A line of a batch, from its record to its first send.

const awaiting = operationRecord({ state: 'awaiting', ...batchLine(1) });

/** The server's and the database's clock, `seconds` after it was recorded. */
const at = (seconds: number) => ({
  server: START.server + seconds * 1_000,
  database: START.database + seconds * 1_000,
});
const send = (seconds: number): OperationEvent => ({
  type: 'send',
  attemptId: 'at_1',
  date: START.service + seconds,
  who: 'Ann',
  person: null,
});

function next(record: OperationRecord, event: OperationEvent, seconds: number): OperationRecord {
  const { record: changed } = step(record, event, at(seconds));
  if (changed === null) throw new Error('Nothing changed.');
  return changed;
}

test('its 23 hours begin with its first send', () => {
  const sending = next(awaiting, send(50_000), 50_000);
  expect(sending).toMatchObject({
    state: 'sending',
    firstSent: { service: START.service + 50_000, ...at(50_000) },
    recorded: START,
  });
});

test.each(['service', 'server', 'database'] as const)('72 hours by the %s’s clock alone are too many', (clock) => {
  const late = BATCH_STARTABLE_SECONDS;
  const ago = clock === 'service' ? START.service - late : START[clock] - late * 1_000;
  const record = { ...awaiting, recorded: { ...START, [clock]: ago } };
  expect(step(record, send(0), at(0))).toMatchObject({ record: null, rejection: expect.stringContaining('72 hours') });
});

test('it waits again if the bytes were not written, and takes new clocks with its next attempt', () => {
  const sending = next(awaiting, send(10), 10);
  const back = next(sending, { type: 'not-made', attemptId: 'at_1' }, 11);
  expect(back).toMatchObject({ state: 'awaiting', attempts: [{ outcome: 'not-made' }] });
  expect(next(back, send(90_000), 90_000).firstSent.service).toBe(START.service + 90_000);
});

test('a connection that failed leaves it waiting', () => {
  const event = { type: 'not-connected', attemptId: 'at_1', who: 'Ann', person: null, automatic: false } as const;
  expect(next(awaiting, event, 1)).toMatchObject({ state: 'awaiting', attempts: [{ outcome: 'not-made' }] });
});

test('a refusal of its first attempt is final', () => {
  const sending = next(awaiting, send(10), 10);
  const attempt = answer(422, envelope('invalid_address'));
  const event = { type: 'answer', attemptId: 'at_1', attempt, jitter: 0, taken: false } as const;
  expect(next(sending, event, 11).state).toBe('refused');
});

test.each<[OperationEvent, string]>([
  [{ type: 'discard', who: 'Ann', person: null }, 'not-sent'],
  [{ type: 'key-changed' }, 'not-sent'],
  [{ type: 'set-back' }, 'unconfirmed'],
])('what ends it: %j', (event, state) => {
  expect(next(awaiting, event, 1).state).toBe(state);
});

test.each<OperationEvent>([
  { type: 'close', who: 'Ann', person: null, words: 'done' },
  { type: 'demote' },
  { type: 'retry', attemptId: 'at_1', retryAt: START.server },
])('what it refuses: %j', (event) => {
  expect(step(awaiting, event, at(1)).record).toBeNull();
});
