import { expect, test } from 'vitest';
import { columnsToSeal } from './peopleRows.ts';

test('a person without an identity is sealed as before there were identities, and one with it otherwise', () => {
  const row = { id: 'p', service: 's', name: 'Ada', created_at: '1', issuer: null, subject: null, email: null };
  expect(columnsToSeal.person(row)).toEqual(['people.people', 'p', 's', 'Ada', '1']);
  const withIdentity = columnsToSeal.person({ ...row, issuer: 'i', subject: 'sub' });
  expect(withIdentity).toEqual(['people.people', 'p', 's', 'Ada', '1', 'i', 'sub']);
});

test('a person’s e-mail address is sealed, apart from what an identity could be', () => {
  const row = { id: 'p', service: 's', name: 'Ada', created_at: '1', issuer: null, subject: null };
  const before = ['people.people', 'p', 's', 'Ada', '1'];
  expect(columnsToSeal.person({ ...row, email: 'a@b.example' })).toEqual([...before, '', '', 'a@b.example']);
  const withBoth = { ...row, issuer: 'i', subject: 'sub', email: 'a@b.example' };
  expect(columnsToSeal.person(withBoth)).toEqual([...before, 'i', 'sub', 'a@b.example']);
});
