import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Attempt } from '#src/api/http.ts';
import { step } from './engine.ts';
import { chargeRequest, webhookReplayRequest } from './kinds.ts';
import { type OperationRecord, isExpired, isFinal, knownResultId } from './record.ts';
import type { Effect, OperationEvent } from './step.ts';
import { T0, answer, created, envelope, lost, record } from './testWorld.ts';

// Whatever happens in whatever order, for every kind: the laws that no step may break.

const NOW = T0 * 1_000;
const HOUR = 3_600;

const attempts = fc.constantFrom<Attempt>(
  answer(201, created()),
  answer(201, { id: 'wd_1' }),
  answer(201, created({ amount: '9' })),
  answer(201, created({ id: 'wd_2' })),
  answer(201, created(), { complete: false }),
  answer(204, ''),
  answer(200, '<html>'),
  answer(400, envelope('x')),
  answer(400, envelope('x'), { replayed: true }),
  answer(401, envelope('x')),
  answer(401, envelope('x'), { gatewayError: 'session' }),
  answer(409, envelope('idempotency_key_reused')),
  answer(429, envelope('x'), { retryAfter: '2' }),
  answer(500, envelope('x'), { replayed: true }),
  answer(502, '<html>'),
  lost('timeout'),
  lost('offline'),
);

const TYPES = ['send', 'send', 'send', 'retry', 'answer', 'answer', 'answer', 'not-made', 'give-up', 'demote'] as const;
const ENDS = ['checked', 'discard', 'close', 'absent', 'seen'] as const;

const scripts = fc.array(
  fc.record({
    type: fc.constantFrom(...TYPES, ...TYPES, ...ENDS),
    which: fc.nat(5),
    seconds: fc.integer({ min: -40, max: 200 }),
    hours: fc.constantFrom(-1, 0, 1, 22, 23, 26, 27, 30),
    attempt: attempts,
    object: fc.constantFrom(created(), created({ amount: '9' }), created({ id: 'wd_2' }), { id: 'wd_1' }, {}),
    words: fc.constantFrom('Said so.', 'Said so.', ' '),
  }),
  { maxLength: 30, size: 'max' },
);
type Line = (typeof scripts extends fc.Arbitrary<(infer Each)[]> ? Each : never) & { index: number };

const starts = fc.constantFrom(
  record(),
  record(chargeRequest('key-1', '{"amount":"1"}')),
  record(webhookReplayRequest('key-1', 'whd_1', [])),
);

function eventOf(now: OperationRecord, line: Line, at: number): OperationEvent {
  const { type, which, attempt, words, object } = line;
  const date = T0 + line.hours * HOUR;
  const attemptId = now.attempts[which % Math.max(1, now.attempts.length)]?.id ?? 'none';
  switch (type) {
    case 'send':
      return { type, attemptId: `at_${line.index}`, at, date };
    case 'retry':
      return { type, attemptId: `at_${line.index}`, at: now.retryAt ?? at, retryAt: now.retryAt ?? at };
    case 'answer':
      return { type, attemptId, at, attempt, jitter: 0 };
    case 'not-made':
      return { type, attemptId, at };
    case 'give-up':
      return { type, retryAt: now.retryAt ?? 0 };
    case 'demote':
      return { type, attemptId };
    case 'discard':
      return { type, at };
    case 'close':
      return { type, at, words, date };
    case 'absent':
      return { type, at, words, date, requestId: null };
    case 'seen':
      return { type, date };
    case 'checked':
      break;
  }
  const id = 'id' in object && typeof object.id === 'string' ? object.id : 'wd_1';
  return { type, object: { id, text: JSON.stringify(object), requestId: null, date } };
}

/** The laws that a step broke. */
function broken(now: OperationRecord, event: OperationEvent, next: OperationRecord, effects: Effect[]): string[] {
  const { key, body, path, kind, account, service, firstSentAt, id, secondSendOf } = now;
  const fixed = { key, body, path, kind, account, service, firstSentAt, id, secondSendOf, revision: now.revision + 1 };
  const posts = effects.some(({ type }) => type === 'post');
  const mayBeSent =
    now.state === 'ready' ||
    (now.state === 'unconfirmed' && (now.reason === 'no-answer' || now.reason === 'signed-out'));
  const changes = next.state !== now.state;
  const becomes = (state: OperationRecord['state']): boolean => changes && next.state === state;
  const hadTwoHundred = now.attempts.some(({ status }) => status !== null && status >= 200 && status < 300);
  const byHand = event.type === 'close' && now.state === 'unconfirmed' && event.words.trim() !== '';
  const laws: [string, boolean][] = [
    ['what was recorded stays', JSON.stringify({ ...next, ...fixed }) === JSON.stringify(next)],
    ['attempts are never taken away', next.attempts.length >= now.attempts.length],
    ['only send and retry post', !posts || event.type === 'send' || event.type === 'retry'],
    ['nothing is posted in a state that forbids it', !posts || mayBeSent],
    ['nothing is posted past the window', !posts || event.type !== 'send' || !isExpired(now, event.date)],
    ['a retry is the one recorded', !posts || event.type !== 'retry' || now.retryAt === event.retryAt],
    ['a post is recorded before', !posts || next.state === 'sending'],
    ['refused, not-sent and closed stay', !isFinal(now.state) || now.state === 'succeeded' || !changes],
    ['only a check leaves succeeded', now.state !== 'succeeded' || !changes || event.type === 'checked'],
    ['and leaves it with an alarm', now.state !== 'succeeded' || !changes || next.reason === 'mismatch'],
    ['succeeded names a result', next.state !== 'succeeded' || next.result !== undefined],
    ['a withdrawal’s has an id', next.state !== 'succeeded' || kind !== 'withdrawal' || knownResultId(next) !== null],
    ['refused by an answer', !becomes('refused') || event.type === 'answer'],
    ['closed by hand', !becomes('closed') || byHand],
    [
      'not sent was ready, or absent',
      !becomes('not-sent') || (event.type === 'discard' ? now.state === 'ready' : event.type === 'absent'),
    ],
    [
      'absent means a withdrawal, 26 h, words and no 2xx with an id',
      !becomes('not-sent') ||
        event.type !== 'absent' ||
        (kind === 'withdrawal' &&
          event.date - firstSentAt >= 26 * HOUR &&
          event.words.trim() !== '' &&
          knownResultId(now) === null),
    ],
    [
      'what was stated otherwise is taken back only by that very payment, whole',
      !becomes('succeeded') ||
        now.contradiction === undefined ||
        (next.result?.id === now.contradiction.id && next.result.confirmed.length === 4),
    ],
    ['an alarm has its object', next.reason !== 'mismatch' || next.contradiction !== undefined],
    ['a contradiction stays in the record', now.contradiction === undefined || next.contradiction !== undefined],
    ['a reason means unconfirmed', (next.reason === undefined) === (next.state !== 'unconfirmed')],
    ['a retry is due only while nobody knows', next.retryAt === undefined || next.reason === 'no-answer'],
    ['seen is finished', next.seenAt === undefined || isFinal(next.state) || now.seenAt !== undefined],
    ['ready had no answer of the service', next.state !== 'ready' || !hadTwoHundred],
  ];
  return laws.filter(([, holds]) => !holds).map(([law]) => law);
}

describe('whatever happens', () => {
  it('no law is broken', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(starts, scripts, (start, script) => {
        let now = start;
        let clock = NOW;
        for (const [index, line] of script.entries()) {
          clock += line.seconds * 1_000;
          const event = eventOf(now, { ...line, index }, clock);
          const next = step(now, event);
          if (next.record === null) continue;
          expect(broken(now, event, next.record, next.effects)).toEqual([]);
          now = next.record;
          reached
            .add(now.state)
            .add(now.reason ?? '')
            .add(now.ending?.by ?? '');
        }
      }),
      { numRuns: 3_000, seed: 1 },
    );
    // A law about what never happens here would prove nothing.
    const ends = ['succeeded', 'refused', 'absence', 'discard', 'hand', 'mismatch', 'key-conflict', 'stored-failure'];
    for (const end of ends) {
      expect(reached).toContain(end);
    }
  });
});
