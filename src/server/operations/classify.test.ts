import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { type AttemptResult, type ServiceAnswer, isObject, parseJson } from '#src/shared/answers.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { classify, withdrawalIdIn } from './classify.ts';
import { SENT, START, T0, answer, attemptWith, created, envelope, lost, operationRecord } from './testAnswers.ts';
import { propertyRuns } from '#src/tests/depth.ts';

/** An operation in its `attempts`-th attempt; the earlier ones got no response. */
function sending(attempts = 1, more: Partial<OperationRecord> = {}): OperationRecord {
  const notes = Array.from({ length: attempts }, (_, index) =>
    attemptWith({
      id: `at_${index + 1}`,
      from: index === 0 ? { state: 'ready' } : { state: 'unconfirmed', reason: 'no-answer' },
      ...(index + 1 < attempts ? { end: START.server, outcome: 'no-answer' as const } : {}),
    }),
  );
  return operationRecord({ state: 'sending', attempts: notes, ...more });
}

const OTHERS = {
  charge: { kind: 'charge', path: '/v1/charges', body: '{"amount":"1"}' },
  'deposit-address': { kind: 'deposit-address', path: '/v1/deposits', body: '{"asset":"BTC","chain":"bitcoin"}' },
  'webhook-replay': { kind: 'webhook-replay', path: '/v1/webhook-deliveries/whd_1/replay', body: '{}' },
} as const;
const KINDS_BESIDE = ['charge', 'deposit-address', 'webhook-replay'] as const;

const read = (attempt: AttemptResult, attempts = 1, taken = false) =>
  classify(sending(attempts), { attemptId: `at_${attempts}`, attempt, taken }, START.server);
const readOther = (kind: keyof typeof OTHERS, attempt: AttemptResult, attempts = 1) =>
  classify(sending(attempts, OTHERS[kind]), { attemptId: `at_${attempts}`, attempt, taken: false }, START.server);
const REPLAYED = { replayed: true };
const UNCLEAN = { kind: 'retry', because: 'unclean-success' };
const NOBODY_KNOWS = { kind: 'unconfirmed', reason: 'no-answer', pausesResend: true };

describe('a 2xx to a withdrawal', () => {
  it.each([200, 201, 202, 299])('%s with the fields that were sent succeeds, replayed or not', (status) => {
    expect(read(answer(status, created()))).toMatchObject({ kind: 'success', id: 'wd_1' });
    expect(read(answer(status, created(), REPLAYED), 3).kind).toBe('success');
  });

  it('compares decimals by value, chains by any name, and addresses in normal form', () => {
    const same = { amount: '0.75', asset: 'btc', chain: 'Bitcoin (mainnet)', address: SENT.address.toUpperCase() };
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

  it('with the id of another operation is a mismatch, even if every field is as sent', () => {
    expect(read(answer(201, created()), 1, true)).toEqual({ kind: 'mismatch', id: 'wd_1' });
  });

  it.each<[string, ServiceAnswer]>([
    ['empty', answer(204, '')],
    ['HTML', answer(200, '<html>Welcome to the hotel</html>', { contentType: 'text/html' })],
    ['cut short', answer(201, created(), { complete: false })],
    ['invalid', answer(201, '{"id":"wd_1"')],
    ['a list', answer(200, [created()])],
    ['a text', answer(200, '"wd_1"')],
    ['null', answer(200, 'null')],
    ['without an id', answer(201, { ...SENT })],
    ['with an id of another kind', answer(201, created({ id: 'dep_1' }))],
    ['with an id that is no text', answer(201, created({ id: 7 }))],
    ['with an id that no index can hold', answer(201, created({ id: `wd_${'x'.repeat(253)}` }))],
    ['with a field given twice', answer(201, JSON.stringify(created()).replace('{', '{"amount":"9",'))],
    ['with an id that no address can hold', answer(201, created({ id: 'wd_\uD800' }))],
    ['with an id that no database can hold', answer(201, created({ id: 'wd_\0' }))],
    ['with the error envelope', answer(200, envelope('x'))],
    ['with an error beside what was sent', answer(200, created({ error: null }))],
  ])('any other 2xx is retried: %s', (_what, came) => {
    expect(read(came)).toMatchObject(UNCLEAN);
    expect(read(came, 3)).toMatchObject(UNCLEAN);
  });
});

describe.each(KINDS_BESIDE)('a 2xx to a %s', (kind) => {
  it('that is an object succeeds', () => {
    expect(readOther(kind, answer(201, { id: 'x_1', more: 1 }))).toEqual({ kind: 'success', id: 'x_1', confirmed: [] });
    expect(readOther(kind, answer(200, { id: 7 }))).toEqual({ kind: 'success', id: null, confirmed: [] });
    expect(readOther(kind, answer(200, { id: 'x'.repeat(256) }))).toMatchObject({ kind: 'success', id: null });
  });

  it.each<[string, ServiceAnswer]>([
    ['the error envelope', answer(200, envelope('x'))],
    ['an error of another shape', answer(201, { id: 'x_1', error: 'no' })],
    ['a list', answer(200, [{ id: 'x_1' }])],
    ['a text', answer(200, '"ok"')],
    ['a number', answer(200, '1')],
    ['null', answer(200, 'null')],
    ['a portal’s page', answer(200, '<html>', { contentType: 'text/html' })],
    ['empty', answer(200, '')],
    ['cut short', answer(201, { id: 'x_1' }, { complete: false })],
  ])('that is not an object is retried: %s', (_what, came) => {
    expect(readOther(kind, came)).toMatchObject(UNCLEAN);
  });

  it('an empty 204 succeeds only for a replay', () => {
    const none = answer(204, '', { contentType: null });
    expect(readOther(kind, none)).toMatchObject(kind === 'webhook-replay' ? { kind: 'success', id: null } : UNCLEAN);
  });

  it('follows the same rules otherwise', () => {
    expect(readOther(kind, answer(400, envelope('x')))).toEqual({ kind: 'refused' });
    expect(readOther(kind, answer(409, envelope('idempotency_key_reused')))).toMatchObject({ reason: 'key-conflict' });
    expect(readOther(kind, answer(502, '<html>'))).toEqual(NOBODY_KNOWS);
  });
});

describe('a response other than a 2xx, by the first rule that matches', () => {
  it.each([true, false])('409 idempotency_key_reused is a key-conflict (replayed: %s)', (replayed) => {
    const came = answer(409, envelope('idempotency_key_reused'), { replayed });
    expect(read(came)).toMatchObject({ reason: 'key-conflict' });
  });

  it.each([500, 502, 503, 504])('a replayed %s is a stored failure', (status) => {
    expect(read(answer(status, envelope('x'), REPLAYED))).toMatchObject({ reason: 'stored-failure' });
    expect(read(answer(status, '<html>', REPLAYED))).toMatchObject({ reason: 'stored-failure' });
  });

  it.each([400, 401, 403, 404, 408, 409, 422, 425, 429])(
    'a replayed %s with the envelope is a final refusal',
    (status) => expect(read(answer(status, envelope('x'), REPLAYED), 3).kind).toBe('refused'),
  );

  it.each([401, 403])('%s without a replay counts as signed out', (status) => {
    expect(read(answer(status, envelope('authentication_error')))).toMatchObject({ reason: 'signed-out' });
    expect(read(answer(status, '<html>', REPLAYED))).toMatchObject({ reason: 'signed-out' });
  });

  it.each([425, 429, 503, 409])('%s is retried automatically', (status) => {
    expect(read(answer(status, envelope('x')))).toMatchObject({ kind: 'retry', because: 'asked-to-wait' });
    expect(read(answer(status, '<html>'))).toMatchObject({ kind: 'retry', because: 'asked-to-wait' });
  });

  it.each<AttemptResult>([
    answer(408, envelope('x')),
    answer(400, '<html>'),
    answer(400, { error: 'no' }),
    answer(400, { error: { type: 'a', code: 'b', message: 'c' } }),
    answer(400, envelope('x'), { complete: false }),
    answer(404, '<html>', REPLAYED),
    answer(500, envelope('x')),
    answer(502, '<html>'),
    answer(504, ''),
    answer(302, ''),
    answer(304, ''),
    answer(101, ''),
    answer(600, envelope('x')),
    lost('redirect'),
    lost('timeout'),
    lost('network'),
    lost('aborted'),
  ])('the outcome is unknown, and Resend is paused: %j', (came) => expect(read(came)).toEqual(NOBODY_KNOWS));

  it.each([400, 404, 410, 422])('%s with the envelope to the only attempt is a refusal', (status) => {
    expect(read(answer(status, envelope('invalid_request_error'))).kind).toBe('refused');
  });

  it.each(['no-answer', 'not-made', null] as const)(
    'a refusal after another attempt (%s) is retried once',
    (outcome) => {
      const first = attemptWith({ id: 'at_0', outcome });
      const before = sending(1, { attempts: [first, attemptWith({ id: 'at_1' })] });
      const no = answer(400, envelope('invalid_request_error'));
      expect(classify(before, { attemptId: 'at_1', attempt: no, taken: false }, 0)).toMatchObject({
        kind: 'retry',
        because: 'unreplayed-refusal',
      });
      const resent = attemptWith({ id: 'at_2', by: 'automatic', because: 'unreplayed-refusal' });
      const again = { ...before, attempts: [...before.attempts, resent] };
      const of = (attempt: AttemptResult) => classify(again, { attemptId: 'at_2', attempt, taken: false }, 0);
      expect(of(no)).toMatchObject({ kind: 'unconfirmed', reason: 'no-answer' });
      expect(of({ ...no, replayed: true }).kind).toBe('refused');
    },
  );

  it('after a set-back the only recorded attempt may not be the first', () => {
    const from = { state: 'unconfirmed' as const, reason: 'no-answer' as const };
    const restored = sending(1, { attempts: [attemptWith({ id: 'at_1', from })] });
    const event = { attemptId: 'at_1', attempt: answer(400, envelope('x')), taken: false };
    expect(classify(restored, event, 0).kind).toBe('retry');
  });

  it('Retry-After can be seconds, or a date by the clock of the same response, or unreadable', () => {
    const withRetryAfter = (retryAfter: string) => read(answer(503, '', { retryAfter }));
    expect(withRetryAfter('5')).toMatchObject({ waitSeconds: 5 });
    expect(withRetryAfter(new Date((T0 + 7) * 1_000).toUTCString())).toMatchObject({ waitSeconds: 7 });
    expect(withRetryAfter('99999')).toMatchObject({ waitSeconds: 99_999 });
    expect(withRetryAfter('abc')).toMatchObject({ waitSeconds: null });
    expect(withRetryAfter('-5')).toMatchObject({ waitSeconds: null });
  });
});

describe('any response', () => {
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom(created(), envelope('x'), created({ amount: '1' })).map((body) => JSON.stringify(body)),
    fc
      .dictionary(fc.constantFrom('id', 'amount', 'asset', 'error', '__proto__'), fc.jsonValue())
      .map((body) => JSON.stringify(body)),
  );
  const answers = fc.record({
    kind: fc.constant('answer' as const),
    status: fc.oneof(fc.integer({ min: 100, max: 699 }), fc.constantFrom(200, 201, 204, 400, 409)),
    requestId: fc.option(fc.string()),
    date: fc.option(fc.integer()),
    replayed: fc.boolean(),
    retryAfter: fc.option(fc.string()),
    contentType: fc.option(fc.string()),
    text: bodies,
    complete: fc.boolean(),
    ms: fc.nat(),
  });
  const kinds = fc.constantFrom<OperationKind>('withdrawal', ...KINDS_BESIDE);

  const isRange = (status: number, hundreds: number): boolean => Math.floor(status / 100) === hundreds;
  const provesRefusal = (came: ServiceAnswer, attempts: number): boolean => {
    const body = parseJson(came.text);
    const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
    const isWhole = ['type', 'code', 'message', 'request_id'].every((part) => typeof error[part] === 'string');
    return came.complete && isRange(came.status, 4) && isWhole && (came.replayed || attempts === 1);
  };
  const provesSuccess = (kind: OperationKind, came: ServiceAnswer): boolean => {
    if (!came.complete || !isRange(came.status, 2)) return false;
    if (came.status === 204 && kind === 'webhook-replay') return true;
    const body = parseJson(came.text);
    if (!isObject(body) || Object.hasOwn(body, 'error')) return false;
    return kind !== 'withdrawal' || String(body['id']).startsWith('wd_');
  };

  it('nothing is refused or succeeded without proof', () => {
    fc.assert(
      fc.property(kinds, answers, fc.integer({ min: 1, max: 3 }), (kind, came, attempts) => {
        const verdict = kind === 'withdrawal' ? read(came, attempts) : readOther(kind, came, attempts);
        if (verdict.kind === 'refused') return provesRefusal(came, attempts);
        if (verdict.kind !== 'success') return verdict.kind !== 'not-made';
        return provesSuccess(kind, came) && (kind !== 'withdrawal' || verdict.id === withdrawalIdIn(came));
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
