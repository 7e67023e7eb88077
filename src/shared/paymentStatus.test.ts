import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOf, statusMeaning, toneOf } from './paymentStatus.ts';

const PROOF = ['completed', 'confirmed'];
const ALARM = ['failed', 'rejected', 'cancelled', 'canceled', 'expired', 'returned'];

test('green means proven, red means failed, anything else is in progress', () => {
  for (const status of PROOF) expect(toneOf(status)).toBe('proof');
  for (const status of ALARM) expect(toneOf(status)).toBe('alarm');
  const others = fc.oneof(
    fc.constantFrom('pending', 'broadcasted', 'processing', 'on_hold', 'Completed', ' failed', '__proto__', ''),
    fc.string().filter((word) => ![...PROOF, ...ALARM].includes(word)),
  );
  fc.assert(fc.property(others, (status) => toneOf(status) === 'motion'));
  expect(toneOf(null)).toBe('motion');
});

test('a known status has one sentence, marked as our interpretation; an unknown one claims nothing', () => {
  for (const of of ['deposit', 'withdrawal'] as const) {
    for (const status of [...PROOF, ...ALARM, 'pending', 'processing', 'broadcasted'])
      expect(statusMeaning(of, status)).toMatch(/^[^.]+\..*Our reading of the status\.$/);
    expect(statusMeaning(of, 'under_review')).toBe('This status isn’t documented. Ask the provider.');
    expect(statusMeaning(of, null)).toBe('The response has no status.');
  }
});

test('a failed withdrawal names the amount that is available again', () => {
  expect(failureOf('failed', '99 USDT')).toEqual({ word: 'Failed', rest: '99 USDT is available again.' });
  for (const status of ALARM.slice(1)) expect(failureOf(status, '99 USDT')?.rest).not.toContain('available');
  for (const status of ['completed', 'pending', 'on_hold', null]) expect(failureOf(status, '99 USDT')).toBeNull();
});
