import { beforeEach, expect, test, vi } from 'vitest';

let journal: typeof import('./journalMark.ts');

beforeEach(async () => {
  vi.resetModules();
  journal = await import('./journalMark.ts');
});

const note = (stated: string | null, brought: string | null = journal.latestJournalMark(), path = '/api/operations') =>
  journal.noteJournalMark(path, stated, brought);

test('the latest mark goes with requests to the dashboard’s server, and with no others', () => {
  expect(journal.journalHeader('/api/operations')).toEqual([]);
  note('j1 7 a m', null);
  note('j1 12 b m', null);
  note('j1 9 c m', null);
  expect(journal.journalHeader('/api/operations')).toEqual([['Journal', 'j1 12 b m']]);
  expect(journal.journalHeader('/session')).toEqual([['Journal', 'j1 12 b m']]);
  expect(journal.journalHeader('/v1/balances')).toEqual([]);
});

test('positions beyond 2^53 are compared exactly', () => {
  note('j1 9007199254740993 a m', null);
  note('j1 9007199254740992 b m', null);
  expect(journal.latestJournalMark()).toBe('j1 9007199254740993 a m');
});

test.each(['j2 3 b m', 'j1 9 b m'])(
  'another journal or an earlier position counts only after our mark was compared: %s',
  (other) => {
    note('j1 12 a m', null);
    note(other, null);
    note(other, 'j1 11 z m');
    expect(journal.latestJournalMark()).toBe('j1 12 a m');
    note(other, 'j1 12 a m');
    expect(journal.latestJournalMark()).toBe(other);
  },
);

test('marks from the service, missing marks and junk are ignored', () => {
  note('j1 12 a m', null, '/v1/balances');
  for (const junk of [null, '', 'j1', 'j1 12', 'j1 -1 a m', 'j1 1e9 a m', 'a b 3 c']) note(junk);
  expect(journal.latestJournalMark()).toBeNull();
});
