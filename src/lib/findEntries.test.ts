import { expect, test } from 'vitest';
import { foundEntries } from './operations/knownAddresses.ts';

const entries = [
  { name: 'Zebra 10', chain: 'bitcoin', address: '1A1zP1' },
  { name: 'zebra 9', chain: 'ethereum', address: '0x5aAe' },
  { name: 'Äpfel', chain: 'tron', address: 'TR7N' },
];
const names = (typed: string) => foundEntries(entries, typed).map(({ name }) => name);

test('all by name, as people count', () => {
  expect(names(' ')).toEqual(['Äpfel', 'zebra 9', 'Zebra 10']);
});

test('every word is looked for in name, chain and address', () => {
  expect(names('ZEBRA')).toEqual(['zebra 9', 'Zebra 10']);
  expect(names('zebra eth')).toEqual(['zebra 9']);
  expect(names('1a1z')).toEqual(['Zebra 10']);
  expect(names('zebra tron')).toEqual([]);
});
