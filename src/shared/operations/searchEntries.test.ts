import { expect, test } from 'vitest';
import { searchEntries } from './knownAddresses.ts';

const entries = [
  { name: 'Zebra 10', chain: 'bitcoin', address: '1A1zP1' },
  { name: 'zebra 9', chain: 'ethereum', address: '0x5aAe' },
  { name: 'Äpfel', chain: 'tron', address: 'TR7N' },
];
const names = (typed: string) => searchEntries(entries, typed).map(({ name }) => name);

test('without a search, all entries are sorted by name, with numbers in numeric order', () => {
  expect(names(' ')).toEqual(['Äpfel', 'zebra 9', 'Zebra 10']);
});

test('every word must occur in the name, chain or address', () => {
  expect(names('ZEBRA')).toEqual(['zebra 9', 'Zebra 10']);
  expect(names('zebra eth')).toEqual(['zebra 9']);
  expect(names('1a1z')).toEqual(['Zebra 10']);
  expect(names('zebra tron')).toEqual([]);
});

test('the exact name comes first, then names that contain the text, then matches by address only', () => {
  const suppliers = ['Supplier 02', 'Supplier 1', 'Supplier 10', 'Supplier 101'];
  const book = suppliers.map((name) => ({ name, chain: 'ethereum', address: '0x10aE' }));
  const found = (typed: string) => searchEntries(book, typed).map(({ name }) => name);
  expect(found('supplier 10')).toEqual(['Supplier 10', 'Supplier 101', 'Supplier 1', 'Supplier 02']);
  expect(found(' Supplier  1 ')).toEqual(['Supplier 1', 'Supplier 10', 'Supplier 101', 'Supplier 02']);
});

test('an address is found in any spelling of its account', () => {
  const [friendly, raw] = [
    'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz',
    '0:906697a57af1cdb1bc39214b7049ae02b3c92a5b0c342ac61e0eb8bd9304b5f1',
  ];
  const book = [{ name: 'Toni', chain: 'ton', address: friendly }, ...entries];
  expect(searchEntries(book, ` ${raw} `).map(({ name }) => name)).toEqual(['Toni']);
});

test('a name is found however its letters are encoded, marked, joined or cased', () => {
  const named = ['İzmir Lojistik', 'Zu\u0308rich', 'می\u200Cخواهم', 'ISPARTA'].map((name) => ({
    name,
    chain: 'tron',
    address: 'TR7N',
  }));
  const first = (typed: string) => searchEntries(named, typed)[0]?.name;
  expect(['izmir', 'İZMİR', 'IZMIR lojıstık'].map(first)).toEqual(Array(3).fill('İzmir Lojistik'));
  expect(['Zürich', 'zurich', 'zu\u0308r'].map(first)).toEqual(Array(3).fill('Zu\u0308rich'));
  expect(first('میخواهم')).toBe('می\u200Cخواهم');
  expect(['ısparta', 'isparta'].map(first)).toEqual(['ISPARTA', 'ISPARTA']);
});
