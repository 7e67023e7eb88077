import { expect, test } from 'vitest';
import { locationState, readLocationState } from './locationState.ts';

test('the state that a page passes on is read back unchanged', () => {
  const state = locationState({
    prefill: { asset: 'BTC' },
    add: { chain: 'bitcoin', address: 'bc1q' },
    instead: 'charge',
  });
  expect(readLocationState(structuredClone(state))).toEqual(state);
});

test.each([undefined, null, 'text', 7, [], { usr: 1 }])('anything else is read as empty: %j', (state) => {
  expect(readLocationState(state)).toEqual({});
});

test('an invalid member is absent, and the others stay', () => {
  const state = { prefill: { amount: 1 }, add: { chain: 'bitcoin' }, instead: 'yes', review: 'review_1' };
  expect(readLocationState(state)).toEqual({ review: 'review_1' });
});
