import { expect, test } from 'vitest';
import { locationState, readLocationState } from './locationState.ts';

test('what a page hands over comes back as it was', () => {
  const state = locationState({
    prefill: { asset: 'BTC' },
    add: { chain: 'bitcoin', address: 'bc1q' },
    instead: 'charge',
  });
  expect(readLocationState(structuredClone(state))).toEqual(state);
});

test.each([undefined, null, 'text', 7, [], { usr: 1 }])('anything else is nothing: %j', (state) => {
  expect(readLocationState(state)).toEqual({});
});

test('a member that is not what it should be is absent, and the others stay', () => {
  const state = { prefill: { amount: 1 }, add: { chain: 'bitcoin' }, instead: 'yes', review: 'review_1' };
  expect(readLocationState(state)).toEqual({ review: 'review_1' });
});
