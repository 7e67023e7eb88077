import { expect, test } from 'vitest';
import { type Activity, ACTS } from '#src/shared/contract/activityContract.ts';
import { COLLECTIONS } from '#src/shared/contract/teamContract.ts';
import { activityText } from './activityText.ts';

const entry = (more: Partial<Activity>): Activity => ({
  id: 'lines 1',
  at: 1,
  group: 'payments',
  kind: 'signed-in',
  who: 'Ada',
  person: 'p1',
  subject: null,
  subject_name: null,
  facts: {},
  ...more,
});

test.each(Object.keys(ACTS))('%s has its own text', (kind) => {
  const { text } = activityText(
    entry({ kind, subject: 's', subject_name: 'Ben', facts: { roles: 'operator' } }),
    false,
  );
  expect(text).not.toContain(kind);
  expect(text).toMatch(/^[A-Z]/);
});

test.each(Object.keys(COLLECTIONS).flatMap((name) => ['added', 'changed', 'removed'].map((how) => `${name}.${how}`)))(
  '%s has its own text',
  (kind) => {
    expect(activityText(entry({ kind, facts: {} }), false).text).not.toContain('.');
  },
);

test('a press of Send names amount and address, leads to the operation, and doesn’t say that it was sent', () => {
  const facts = { operation: 'withdrawal', amount: '12', asset: 'USDT', chain: 'tron', address: 'TXYZ' };
  expect(activityText(entry({ kind: 'operation.sent', subject: 'key-1', facts }), false)).toEqual({
    text: 'Pressed Send for 12 USDT to TXYZ',
    to: '/operations/key-1',
  });
  expect(activityText(entry({ kind: 'operation.sent', subject: 'key-1', facts }), true).text).not.toContain('12');
});

test('a change of the approval rules says what it changes, when it counts, and leads to them', () => {
  const facts = { number: '3', effect: 'admin', changes: 'Assets that aren’t listed: 1 approval, instead of 2.' };
  expect(activityText(entry({ kind: 'policy.proposed', facts }), false)).toEqual({
    text: `Proposed approval rules, which wait for another admin (version 3): ${facts.changes}`,
    to: '/policy',
  });
});

test('a batch that was withdrawn leads to it, and says why', () => {
  expect(
    activityText(
      entry({ kind: 'batch.withdrawn', subject: 'b-1', facts: { payments: '2', words: 'Blocked.' } }),
      false,
    ),
  ).toEqual({ text: 'Withdrew what was left of a batch', to: '/batches/b-1', words: 'Blocked.' });
});

test('a kind of a later version is shown by its own name', () => {
  expect(activityText(entry({ kind: 'policy-confirmed' }), false).text).toBe('policy-confirmed');
});

test('an export names its list, rows, filters and hash', () => {
  const facts = {
    list: 'ledger-entries',
    rows: '120',
    filters: '{"asset":"BTC","created_after":5}',
    sha256: 'a'.repeat(64),
  };
  expect(activityText(entry({ group: 'exports', kind: 'exported', facts }), false).text).toBe(
    'Exported 120 ledger entries (asset BTC, created after 5), SHA-256 aaaaaaa…aaaa',
  );
  const all = { ...facts, filters: '{}' };
  expect(activityText(entry({ kind: 'exported', facts: all }), false).text).toMatch(
    /^Exported 120 ledger entries, SHA/,
  );
});
