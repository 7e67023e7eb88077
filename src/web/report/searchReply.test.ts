import { expect, test } from 'vitest';
import { searchReply } from './searchReply.ts';

const TODAY = '2026-11-26';
/** 24 Nov 2026, 13:33 and 17:10 UTC. */
const [ONE, OTHER] = [1_795_527_180, 1_795_540_200];
const paid = (created_at: unknown, amount = '250') => ({ amount, asset: 'USDT', created_at });

test('a payment that isn’t found is described in the customer’s words, with what would help to find it', () => {
  expect(searchReply({ kind: 'not-found', amount: '0.6', asset: 'ETH', day: '2026-11-24' }, TODAY)).toContain(
    'We can’t find a payment of 0.6 ETH on 24 November. Please send us the transaction hash and the address you paid to.',
  );
  expect(searchReply({ kind: 'not-found', hash: '0x9b1c' }, TODAY)).toContain(
    'We can’t find a payment with the transaction hash 0x9b1c. Please send us the amount, the day and the address you paid to.',
  );
  expect(searchReply({ kind: 'not-found', amount: '0.6', asset: 'ETH', hash: '0x9b1c' }, TODAY)).toContain(
    'Please send us the day and the address you paid to.',
  );
  expect(searchReply({ kind: 'not-found', day: '2025-01-03' }, TODAY)).toContain('a payment on 3 January 2025.');
});

test('the address that the customer sent is not asked for again', () => {
  expect(searchReply({ kind: 'not-found', hasAddress: true }, TODAY)).toContain(
    'We can’t find a payment to that address. Please send us the transaction hash, the amount and the day.',
  );
  const known = { amount: '0.6', asset: 'ETH', day: '2026-11-24', hash: '0x9b1c', hasAddress: true };
  expect(searchReply({ kind: 'not-found', ...known }, TODAY)).toContain(
    'We can’t find a payment of 0.6 ETH on 24 November to that address with the transaction hash 0x9b1c.\n',
  );
});

test('the customer is asked to check an address that isn’t ours', () => {
  expect(searchReply({ kind: 'not-ours' }, TODAY, { ticket: 'T-42' })).toBe(
    'Hello,\n\nWe don’t know the address you paid. Please check it with your wallet, and tell us where you found it.\n\nTicket: T-42\n\nKind regards\n',
  );
});

test('two candidates are distinguished by their times', () => {
  const payments = [paid(OTHER), paid(ONE)];
  expect(searchReply({ kind: 'several', payments, day: '2026-11-24' }, TODAY)).toContain(
    'We see two payments of 250 USDT that day, at 13:33 and 17:10 UTC. Which one is yours? The transaction hash tells.',
  );
  expect(searchReply({ kind: 'several', payments }, TODAY)).toContain(
    '250 USDT on 24 November, at 13:33 and 17:10 UTC.',
  );
  const later = [paid(ONE), paid(OTHER + 86_400, '251')];
  expect(searchReply({ kind: 'several', payments: later }, TODAY)).toContain(
    'We see two payments: 250 USDT on 24 November at 13:33 UTC and 251 USDT on 25 November at 17:10 UTC.',
  );
  expect(searchReply({ kind: 'several', payments: [paid(ONE), paid(OTHER + 86_400)] }, TODAY)).toContain(
    'We see two payments of 250 USDT, on 24 November at 13:33 UTC and on 25 November at 17:10 UTC.',
  );
  const many = Array.from({ length: 12 }, () => paid(ONE));
  expect(searchReply({ kind: 'several', payments: many }, TODAY)).toContain('We see 12 payments of 250 USDT. Which');
});
