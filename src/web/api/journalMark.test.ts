import { beforeEach, expect, test, vi } from 'vitest';

let journal: typeof import('./journalMark.ts');

beforeEach(async () => {
  vi.resetModules();
  journal = await import('./journalMark.ts');
});

const note = (stated: string | null, brought: string | null = journal.journalSeen(), path = '/api/operations') =>
  journal.noteJournal(path, stated, brought);

test('the furthest mark goes with every request to the server itself, and with no other', () => {
  expect(journal.journalHeader('/api/operations')).toEqual([]);
  note('j1 7 a m', null);
  note('j1 12 b m', null);
  note('j1 9 c m', null);
  expect(journal.journalHeader('/api/operations')).toEqual([['Journal', 'j1 12 b m']]);
  expect(journal.journalHeader('/session')).toEqual([['Journal', 'j1 12 b m']]);
  expect(journal.journalHeader('/v1/balances')).toEqual([]);
});

test('positions are counted beyond what a double holds', () => {
  note('j1 9007199254740993 a m', null);
  note('j1 9007199254740992 b m', null);
  expect(journal.journalSeen()).toBe('j1 9007199254740993 a m');
});

test.each(['j2 3 b m', 'j1 9 b m'])(
  'another journal or an earlier position is believed only after ours was compared: %s',
  (other) => {
    note('j1 12 a m', null);
    note(other, null);
    note(other, 'j1 11 z m');
    expect(journal.journalSeen()).toBe('j1 12 a m');
    note(other, 'j1 12 a m');
    expect(journal.journalSeen()).toBe(other);
  },
);

test('the service, an earlier version and junk say nothing of a journal', () => {
  note('j1 12 a m', null, '/v1/balances');
  for (const junk of [null, '', 'j1', 'j1 12', 'j1 -1 a m', 'j1 1e9 a m', 'a b 3 c']) note(junk);
  expect(journal.journalSeen()).toBeNull();
});
