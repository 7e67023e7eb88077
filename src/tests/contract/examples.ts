import { expect } from 'vitest';
import { DECIMAL, units } from './amounts.ts';
import { bodyOf, type HttpAnswer } from './http.ts';

// The contract's objects, transcribed from its tables. Other fields are allowed, as it says "not shown".

const decimal: unknown = expect.stringMatching(DECIMAL);
const text: unknown = expect.stringMatching(/^.+$/s);
const unixSeconds: unknown = expect.toSatisfy(
  (value: number) => Number.isInteger(value) && value > 1e9 && value < 1e10,
);

/** This exact amount in any notation, as the contract allows trailing zeros. */
export function amount(expected: string): unknown {
  return expect.toSatisfy((sent: unknown) => units(sent) === units(expected));
}

/** 2.1 */
export const balanceExample = {
  object: 'balance',
  asset: text,
  available: decimal,
  pending: decimal,
  locked: decimal,
  total: decimal,
  updated_at: unixSeconds,
};

/** 2.2; fee and tx_hash may be absent or null before broadcast. */
export const withdrawalExample = {
  id: expect.stringMatching(/^wd_.+$/) as unknown,
  object: 'withdrawal',
  status: text,
  asset: text,
  chain: text,
  amount: decimal,
  address: text,
  created_at: unixSeconds,
};

/** 2.3 */
export const depositExample = {
  id: expect.stringMatching(/^dep_.+$/) as unknown,
  object: 'deposit',
  status: text,
  asset: text,
  chain: text,
  received_amount: decimal,
  created_at: unixSeconds,
};

/** Checks an answer against the list envelope of 2.4, and each item against its example. */
export function expectList(answer: HttpAnswer, item: object): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(answer.json).toMatchObject({ object: 'list', data: expect.any(Array) as unknown });
  const page = bodyOf<{ data: unknown[]; has_more: unknown; next_cursor: unknown }>(answer);
  for (const entry of page.data) expect(entry).toMatchObject(item);
  if (page.has_more === true) expect(page.next_cursor).toEqual(text);
  else expect(page).toMatchObject({ has_more: false, next_cursor: null });
}

/** Checks an answer against the error envelope of part 7: status, code, a message that names `names`, the header's request id. */
export function expectError(answer: HttpAnswer, status: number, code: string | null, names?: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  const requestId = answer.headers.get('request-id');
  expect(requestId).toMatch(/^req_.+$/);
  expect(answer.json).toMatchObject({
    error: { type: text, code: code ?? text, message: text, request_id: requestId },
  });
  if (names !== undefined) {
    expect(bodyOf<{ error: { message: string } }>(answer).error.message.toLowerCase()).toContain(names.toLowerCase());
  }
}

/** Checks a replay against 4.7: the original's status, bytes and Request-Id; the marker on the replay alone (row 71). */
export function expectReplay(replay: HttpAnswer, original: HttpAnswer): void {
  expect(replay.text).toBe(original.text);
  expect(replay.status).toBe(original.status);
  expect(replay.headers.get('request-id')).toBe(original.headers.get('request-id'));
  expect(replay.headers.get('content-type')).toBe(original.headers.get('content-type'));
  expect(original.headers.has('idempotency-replayed')).toBe(false);
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
}
