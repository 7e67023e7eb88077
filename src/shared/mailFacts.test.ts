import { expect, test } from 'vitest';
import { mailFacts } from './mailFacts.ts';

const HASH = `0x${'9b1c'.repeat(16)}`;

test.each([
  ['I paid order 4711', 'order 4711'],
  ['Order #4711, please', 'order 4711'],
  ['order number: A-4711', 'order A-4711'],
  ['invoice no. 2026-17', 'invoice 2026-17'],
  ['my order of 0.5 ETH', ''],
  ['I made the order 21 Nov', ''],
  ['order 0.5 ETH', ''],
])('“%s” names the order “%s”', (text, order) => {
  expect(mailFacts(text).order).toBe(order);
});

test('a hash is distinguished from an address, and a ticket from an order', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const mail = `Ticket T-42: I sent 0.5 ETH to ${address} for order 4711, hash ${HASH}.`;
  expect(mailFacts(mail)).toEqual({ order: 'order 4711', ticket: 'T-42', hash: HASH });
});
