import { expect, test } from 'vitest';
import type { GatewayAnswer, GatewayAttempt } from '#src/web/api/gatewayAnswer.ts';
import { conclusionOf, failureMessage } from './recordOperation.ts';
import { testView } from './testViews.ts';

const KEY = 'key-1';
const view = testView();
const other = testView({ key: 'key-2' });
const notSent = { why: 'too-late', at: 1_795_000_000_000 };
const lookAlikes = { existing: 'key-9', of: [] };

function answer(status: number, body: unknown, more: Partial<GatewayAnswer> = {}): GatewayAnswer {
  return {
    kind: 'answer',
    status,
    requestId: null,
    retryAfter: null,
    date: null,
    contentType: 'application/json',
    text: typeof body === 'string' ? body : JSON.stringify(body),
    complete: true,
    replayed: false,
    gatewayError: null,
    ms: 1,
    ...more,
  };
}

const refusal = (status: number, code: string, beside: object = {}, more: Partial<GatewayAnswer> = {}): GatewayAnswer =>
  answer(status, { error: { type: 't', code, message: 'why not', request_id: 'req_1' }, ...beside }, more);

test.each([
  ['recorded and under way', answer(201, view), 'recorded'],
  ['there already', answer(200, view), 'recorded'],
  ['recorded with other content', refusal(409, 'key_reused', { view }), 'reused'],
  ['a look-alike', refusal(409, 'look_alike', { look_alikes: lookAlikes, not_sent: notSent }), 'not-sent'],
  ['a body that may not be sent', refusal(422, 'invalid_request_error', { not_sent: notSent }), 'not-sent'],
  ['too late', refusal(422, 'too_late', { not_sent: notSent }), 'not-sent'],
  ['a tombstone', refusal(410, 'not_sent', { not_sent: notSent }), 'not-sent'],
  ['another account’s', refusal(409, 'key_taken'), 'taken'],
])('%s concludes the start', (_what, answered, kind) => {
  expect(conclusionOf(KEY, answered)?.kind).toBe(kind);
});

test('the conclusion of a refusal holds its reason and the look-alikes', () => {
  expect(conclusionOf(KEY, refusal(422, 'invalid_request_error', { not_sent: notSent }))).toMatchObject({
    notSent,
    message: 'why not',
    lookAlikes: null,
  });
  expect(conclusionOf(KEY, refusal(409, 'look_alike', { look_alikes: lookAlikes }))).toMatchObject({ lookAlikes });
});

const NOTHING: [string, GatewayAttempt][] = [
  ['no connection', { kind: 'no-answer', reason: 'network', ms: 1 }],
  ['a time-out', { kind: 'no-answer', reason: 'timeout', ms: 30_000 }],
  ['a device that is offline', { kind: 'no-answer', reason: 'offline', ms: 0 }],
  ['a success cut short', answer(201, JSON.stringify(view).slice(0, 200), { complete: false })],
  ['a whole success of a broken connection', answer(201, view, { complete: false })],
  ['a success that is no operation', answer(201, { id: 'wd_1' })],
  ['a hotel', answer(200, '<h1>Welcome</h1>', { contentType: 'text/html' })],
  ['another operation', answer(201, other)],
  ['204', answer(204, '')],
  ['an ended session', refusal(401, 'session_required', {}, { gatewayError: 'session' })],
  ['a read-only server', refusal(403, 'read_only')],
  ['an old server', refusal(404, 'path_not_allowed', {}, { gatewayError: 'not-allowed' })],
  ['not recorded', refusal(404, 'not_recorded')],
  ['nobody knows', refusal(404, 'nobody_knows')],
  ['a tombstone’s code under another status', refusal(404, 'not_sent', { not_sent: notSent })],
  ['a tombstone without its proof', refusal(410, 'not_sent')],
  ['a bad body without a tombstone', refusal(422, 'invalid_request_error')],
  ['400', refusal(400, 'invalid_request_error', { not_sent: notSent })],
  ['a look-alike that is not named', refusal(409, 'look_alike')],
  ['a reused key without the operation', refusal(409, 'key_reused')],
  ['a reused key with another operation', refusal(409, 'key_reused', { view: other })],
  ['another account', refusal(409, 'account_mismatch', {}, { gatewayError: 'account' })],
  ['too many', refusal(429, 'too_many')],
  ['500', answer(500, '')],
  ['502 with a web page', answer(502, '<h1>Bad gateway</h1>', { contentType: 'text/html' })],
  ['503', refusal(503, 'not_ready')],
];

test.each(NOTHING)('%s proves nothing about what happened', (_what, result) => {
  expect(conclusionOf(KEY, result)).toBeNull();
  expect(failureMessage(result)).not.toMatch(/nothing was sent|not sent/i);
});
