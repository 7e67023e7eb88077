import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Answer } from '#src/api/http.ts';
import { classify } from './classify.ts';
import { step } from './engine.ts';
import type { OperationRecord } from './record.ts';
import { T0, SENT, answer, created, envelope, lost, record } from './testWorld.ts';

function sending(attempts = 1): OperationRecord {
  let now = record();
  for (let index = 1; index <= attempts; index += 1) {
    const at = T0 * 1_000 + index * 60_000;
    const sent = step(now, { type: 'send', attemptId: `at_${index}`, at, date: T0 + index }).record ?? now;
    const attempt = lost('timeout');
    now =
      index === attempts
        ? sent
        : (step(sent, { type: 'answer', attemptId: `at_${index}`, at, attempt, jitter: 0 }).record ?? sent);
  }
  return now;
}

const read = (attempt: Parameters<typeof classify>[2], attempts = 1) =>
  classify(sending(attempts), `at_${attempts}`, attempt, T0 * 1_000);
const REPLAYED = { replayed: true };

describe('Reading an answer, in this order', () => {
  it.each(['session', 'account', 'read-only', 'not-allowed'])(
    'a refusal by the gateway itself (%s) was not forwarded',
    (kind) => {
      for (const status of [400, 401, 403, 409, 421]) {
        expect(read(answer(status, envelope('x'), { gatewayError: kind })).kind).toBe('not-forwarded');
      }
    },
  );

  it('a word of the gateway that nobody knows proves nothing', () => {
    expect(read(answer(400, envelope('x'), { gatewayError: 'later' }))).toMatchObject({ reason: 'no-answer' });
  });

  it.each([200, 201, 202])('a clean %s that states what was sent succeeds', (status) => {
    expect(read(answer(status, created()))).toMatchObject({ kind: 'success', id: 'wd_1' });
    expect(read(answer(status, created(), REPLAYED)).kind).toBe('success');
  });

  it('equal means equal decimals, the same chain by any name, the address in normal form', () => {
    const same = { amount: '0.75', asset: 'btc', chain: 'Bitcoin', address: SENT.address.toUpperCase() };
    expect(read(answer(201, created(same))).kind).toBe('success');
  });

  it('fields that are absent or null are not confirmed', () => {
    expect(read(answer(201, { id: 'wd_1' }))).toEqual({ kind: 'success', id: 'wd_1', confirmed: [] });
    expect(read(answer(201, created({ chain: null, amount: undefined })))).toMatchObject({
      confirmed: ['asset', 'address'],
    });
  });

  it.each([
    { asset: 'ETH' },
    { chain: 'litecoin' },
    { amount: '0.7500001' },
    { amount: 0.75 },
    { address: 'bc1qother' },
    { asset: ['BTC'] },
  ])('a field that differs is a mismatch: %j', (differs) =>
    expect(read(answer(201, created(differs)))).toEqual({ kind: 'mismatch', id: 'wd_1' }),
  );

  it.each<[string, Answer]>([
    ['empty', answer(204, '')],
    ['HTML', answer(200, '<html>Welcome to the hotel</html>', { contentType: 'text/html' })],
    ['cut short', answer(201, created(), { complete: false })],
    ['invalid', answer(201, '{"id":"wd_1"')],
    ['a list', answer(200, [created()])],
    ['without an id', answer(201, { ...SENT })],
    ['with an id of another kind', answer(201, created({ id: 'dep_1' }))],
    ['with an id that is no text', answer(201, created({ id: 7 }))],
  ])('any other 2xx (%s) is asked for again', (_what, came) => {
    expect(read(came)).toMatchObject({ kind: 'retry', because: 'unclean-success' });
  });

  it.each([true, false])('409 idempotency_key_reused is a key-conflict (replayed: %s)', (replayed) => {
    expect(read(answer(409, envelope('idempotency_key_reused'), { replayed }))).toMatchObject({
      reason: 'key-conflict',
    });
  });

  it.each([500, 502, 503, 504])('a replayed %s is a stored failure', (status) => {
    expect(read(answer(status, envelope('x'), REPLAYED))).toMatchObject({ reason: 'stored-failure' });
    expect(read(answer(status, '<html>', REPLAYED))).toMatchObject({ reason: 'stored-failure' });
  });

  it.each([400, 401, 403, 404, 408, 409, 422, 425, 429])(
    'a replayed %s with the envelope is the final no',
    (status) => {
      expect(read(answer(status, envelope('x'), REPLAYED), 3).kind).toBe('refused');
    },
  );

  it.each([401, 403])('%s without a replay: signed out', (status) => {
    expect(read(answer(status, envelope('authentication_error')))).toMatchObject({ reason: 'signed-out' });
    expect(read(answer(status, '<html>', REPLAYED))).toMatchObject({ reason: 'signed-out' });
  });

  it.each([425, 429, 503, 409])('%s asks for an automatic retry', (status) => {
    expect(read(answer(status, envelope('x')))).toMatchObject({ kind: 'retry', because: 'asked-to-wait' });
    expect(read(answer(status, '<html>'))).toMatchObject({ kind: 'retry', because: 'asked-to-wait' });
  });

  it.each([
    answer(408, envelope('x')),
    answer(502, envelope('x'), { gatewayError: 'upstream' }),
    answer(504, envelope('x'), { gatewayError: 'upstream' }),
    answer(400, '<html>'),
    answer(400, { error: 'no' }),
    answer(400, { error: { type: 'a', code: 'b', message: 'c' } }),
    answer(400, envelope('x'), { complete: false }),
    answer(404, '<html>', REPLAYED),
    answer(500, envelope('x')),
    answer(502, '<html>'),
    answer(504, ''),
    answer(302, ''),
    lost('redirect'),
    lost('timeout'),
    lost('network'),
    lost('aborted'),
  ])('nobody knows, and Resend rests: %j', (came) => {
    expect(read(came)).toEqual({ kind: 'unconfirmed', reason: 'no-answer', rests: true });
  });

  it('http.ts says offline only where fetch was not called', () => {
    expect(read(lost('offline'))).toEqual({ kind: 'not-made' });
  });

  it.each([400, 404, 410, 422])('%s with the envelope, the only attempt: refused', (status) => {
    expect(read(answer(status, envelope('invalid_request_error'))).kind).toBe('refused');
  });

  it('the same with any other attempt on the record: one automatic resend, then nobody knows', () => {
    const no = answer(400, envelope('invalid_request_error'));
    const first = sending(2);
    expect(classify(first, 'at_2', no, 0)).toMatchObject({ kind: 'retry', because: 'unreplayed-refusal' });
    const at = T0 * 1_000 + 130_000;
    const waiting = step(first, { type: 'answer', attemptId: 'at_2', at, attempt: no, jitter: 0 }).record ?? first;
    const retryAt = waiting.retryAt ?? 0;
    const again = step(waiting, { type: 'retry', attemptId: 'at_3', at: retryAt, retryAt }).record ?? waiting;
    expect(again.state).toBe('sending');
    expect(classify(again, 'at_3', no, 0)).toMatchObject({ kind: 'unconfirmed', reason: 'no-answer' });
    expect(classify(again, 'at_3', { ...no, replayed: true }, 0).kind).toBe('refused');
  });

  it('Retry-After: seconds, a date by the clock that wrote it, or nothing readable', () => {
    const asked = (retryAfter: string) => read(answer(503, '', { retryAfter }));
    expect(asked('5')).toMatchObject({ waitSeconds: 5 });
    expect(asked(new Date((T0 + 7) * 1_000).toUTCString())).toMatchObject({ waitSeconds: 7 });
    expect(asked('99999')).toMatchObject({ waitSeconds: 99_999 });
    expect(asked('abc')).toMatchObject({ waitSeconds: null });
    expect(asked('-5')).toMatchObject({ waitSeconds: null });
  });
});

describe('whatever comes', () => {
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom(JSON.stringify(created()), JSON.stringify(envelope('x')), JSON.stringify(created({ amount: '1' }))),
    fc
      .dictionary(fc.constantFrom('id', 'amount', 'asset', 'error', '__proto__'), fc.jsonValue())
      .map((v) => JSON.stringify(v)),
  );
  const answers = fc.record({
    kind: fc.constant('answer' as const),
    status: fc.integer({ min: 100, max: 699 }),
    requestId: fc.option(fc.string()),
    date: fc.option(fc.integer()),
    replayed: fc.boolean(),
    retryAfter: fc.option(fc.string()),
    gatewayError: fc.option(fc.constantFrom('session', 'account', 'read-only', 'not-allowed', 'upstream', 'other')),
    contentType: fc.option(fc.string()),
    text: bodies,
    complete: fc.boolean(),
    ms: fc.nat(),
  });

  const isRange = (status: number, hundreds: number): boolean => Math.floor(status / 100) === hundreds;
  const provesRefusal = (came: Answer, attempts: number): boolean => {
    const { error } = JSON.parse(came.text);
    const hasEnvelope = [error.type, error.code, error.message, error.request_id].every(
      (part) => typeof part === 'string',
    );
    const own = came.complete && came.gatewayError === null && isRange(came.status, 4);
    return own && hasEnvelope && (came.replayed || attempts === 1);
  };
  const provesSuccess = (came: Answer): boolean => {
    const own = came.complete && came.gatewayError === null && isRange(came.status, 2);
    return own && JSON.parse(came.text).id.startsWith('wd_');
  };

  it('nothing is refused or succeeded without proof', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 3 }), (came, attempts) => {
        const { kind } = read(came, attempts);
        return (kind !== 'refused' || provesRefusal(came, attempts)) && (kind !== 'success' || provesSuccess(came));
      }),
      { numRuns: 1_000 },
    );
  });
});
