import { beforeEach, expect, test, vi } from 'vitest';

let journal: typeof import('./http.ts');

beforeEach(async () => {
  vi.resetModules();
  journal = await import('./http.ts');
});

const note = (stated: string | null, brought: string | null = journal.journalSeen(), path = '/api/operations') =>
  journal.noteJournal(path, stated, brought);

test('the furthest position goes with every request to the server itself, and with no other', () => {
  expect(journal.journalHeader('/api/operations')).toEqual([]);
  note('j1 7');
  note('j1 12');
  note('j1 9');
  expect(journal.journalHeader('/api/operations')).toEqual([['Journal', 'j1 12']]);
  expect(journal.journalHeader('/session')).toEqual([['Journal', 'j1 12']]);
  expect(journal.journalHeader('/v1/balances')).toEqual([]);
});

test('positions are counted beyond what a double holds', () => {
  note('j1 9007199254740993');
  note('j1 9007199254740992');
  expect(journal.journalSeen()).toBe('j1 9007199254740993');
});

test('another journal is believed only from a server that was told of the first', () => {
  note('j1 12', null);
  note('j2 3', null);
  expect(journal.journalSeen()).toBe('j1 12');
  note('j2 3', 'j1 12');
  expect(journal.journalSeen()).toBe('j2 3');
});

test('the service, and junk, say nothing of a journal', () => {
  note('j1 12', null, '/v1/balances');
  for (const junk of [null, '', 'j1', 'j1 -1', 'j1 1e9', 'a b 3']) note(junk);
  expect(journal.journalSeen()).toBeNull();
});
