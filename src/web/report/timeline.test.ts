import { expect, test } from 'vitest';
import { ledgerEntrySchema, listOf } from '#src/shared/contract/rows.ts';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { type SeenStatus, sendingSteps, type TimelineStep, timelineOf } from './timeline.ts';

const AT = 1_795_000_000;
const parse = listOf(ledgerEntrySchema);
const seenAs = (status: string | null): SeenStatus => ({ status, at: AT + 900, requestId: 'req_read' });
const row = { id: 'wd_1', asset: 'BTC', chain: 'bitcoin', created_at: AT };

function entry(book: string, amount: string, at: number, transaction: string) {
  return { id: `le_${transaction}_${book}`, asset: 'BTC', amount, book, created_at: at, transaction };
}
const LOCKED = [entry('available', '-0.25', AT, 't1'), entry('locked', '0.250', AT, 't1')];
const RELEASED = [entry('locked', '-0.25', AT + 60, 't2'), entry('available', '0.25', AT + 60, 't2')];
const LEFT = [entry('locked', '-0.25', AT + 90, 't3')];

const told = (steps: TimelineStep[]) =>
  steps.map(({ at, isSeen, what, more = '', notes, proofs }) => {
    const when = at === null ? 'at some time' : `${at - AT} s${isSeen ? ' seen' : ''}`;
    const words = notes.map((note) => (typeof note === 'string' ? note : `${note.amount} ${note.asset} ${note.words}`));
    return `${when}: ${what}${more} (${words.join('; ')}) ${proofs.map(({ kind }) => kind).join(' ')}`;
  });

const made: Operation = {
  ...testOperation,
  state: 'succeeded',
  reason: undefined,
  who: 'Ana',
  person: 'person-a',
  attempts: [
    {
      ...attemptNote,
      outcome: 'no-answer',
      status: null,
      lost: 'timeout',
      end: attemptNote.start + 30_000,
      requestId: null,
    },
    {
      ...attemptNote,
      id: 'b',
      start: attemptNote.start + 60_000,
      end: attemptNote.start + 60_400,
      who: 'Ben',
      person: null,
      outcome: 'success',
      status: 201,
      contentType: 'application/json',
      replayed: true,
      requestId: 'req_2',
    },
  ],
  result: { id: 'wd_1', text: '{"id":"wd_1"}', requestId: 'req_2', by: 'answer', confirmed: [] },
};

test('a lost and resent withdrawal has every step, each with its proof', () => {
  const entries = parse({ data: [...LOCKED, ...LEFT] }).data;
  const steps = timelineOf({
    kind: 'withdrawal',
    row: { ...row, tx_hash: 'ab'.repeat(32) },
    seen: seenAs('completed'),
    entries,
    made: { operation: made, approved: [], byPasskey: true },
  });
  expect(told(steps)).toEqual([
    '0 s: Saved by Ana (before anything was sent) operation',
    '0 s: Sent (no response in 30 s) attempt',
    '0 s: Accepted (confirmed by the resend) (0.250 BTC moved from available to locked) payment ledger',
    '60 s: Resent by Ben (not verified) (201, accepted) attempt request',
    'at some time: Broadcast () hash',
    '90 s: Completed, 1 min after it was created (0.25 BTC left your balance) request ledger',
  ]);
});

const NEEDS_TWO = { approval: { needs: 2, policy: 1, hours: 72 }, signed: { maker: 'person-a', contentHash: '00' } };
const bo = { person: 'person-b', name: 'Bo', at: testOperation.firstSent.service + 60 };
const cy = { person: 'person-c', name: 'Cy', at: testOperation.firstSent.service + 120 };

test('a payment that others approve is prepared, approved by each, and sent', () => {
  const operation: Operation = {
    ...made,
    ...NEEDS_TWO,
    attempts: [
      { ...attemptNote, start: cy.at * 1000 - 400, who: 'Cy', person: 'person-c', outcome: 'success', status: 201 },
    ],
  };
  const steps = sendingSteps({ operation, approved: [bo, cy], byPasskey: true });
  // The two clocks are a little apart.
  expect(steps.map(({ what, more = '', notes }) => `${what}${more} (${notes.map(String).join('; ')})`)).toEqual([
    'Prepared by Ana (before anything was sent)',
    'Approved by Bo (1 of 2, signed with a passkey)',
    'Approved by Cy (2 of 2, signed with a passkey)',
    expect.stringMatching(/^Sent by Cy/),
  ]);
  const inDemo = sendingSteps({ operation, approved: [bo], byPasskey: false });
  expect(inDemo[1]?.notes).toEqual(['1 of 2']);
  const needsOne = { ...operation, approval: { ...NEEDS_TWO.approval, needs: 1 } };
  const again = sendingSteps({ operation: needsOne, approved: [bo, cy], byPasskey: true });
  expect(again[2]?.notes).toEqual(['Approval 2, signed with a passkey']);
});

test('an approval after a first attempt comes after it', () => {
  const first = { ...attemptNote, start: (bo.at + 60) * 1000 };
  const second = { ...attemptNote, id: 'b', start: (bo.at + 900) * 1000 };
  const operation: Operation = { ...testOperation, ...NEEDS_TWO, attempts: [first, second] };
  const steps = sendingSteps({ operation, approved: [bo, { ...cy, at: bo.at + 600 }], byPasskey: true });
  expect(steps.map(({ what }) => what)).toEqual(['Prepared', 'Approved', 'Sent', 'Approved', 'Resent']);
});

test('the end of a payment that wasn’t approved is a step, with the reason', () => {
  const end = (by: 'reject' | 'lapse' | 'discard', who: string | null, words: string) => {
    const ending = { by, words, who, person: who && `id of ${who}`, at: 1_795_000_000_000, requestId: null };
    const operation: Operation = { ...testOperation, ...NEEDS_TWO, state: 'not-sent', attempts: [], ending };
    const last = sendingSteps({ operation, approved: [], byPasskey: true }).at(-1);
    return [`${last?.what}${last?.more}`, ...(last?.notes ?? [])];
  };
  expect(end('reject', 'Bo', 'Wrong amount')).toEqual(['Rejected by Bo', '“Wrong amount”']);
  expect(end('lapse', null, 'It was not approved and sent within 72 hours.')).toEqual(['Expired']);
  expect(end('discard', 'Ana', '')).toEqual(['Withdrawn by Ana']);
});

test('the ledger shows when a withdrawal failed, and what came back', () => {
  const entries = parse({ data: [...LOCKED, ...RELEASED] }).data;
  const steps = timelineOf({ kind: 'withdrawal', row, seen: seenAs('failed'), entries, made: null });
  expect(told(steps)).toEqual([
    '0 s: Created at the provider (0.250 BTC moved from available to locked) payment ledger',
    '60 s: Failed, 1 min after it was created () request',
    '60 s: Released (0.25 BTC moved from locked to available) ledger',
  ]);
  expect(steps.map(({ mark }) => mark)).toEqual(['accepted', 'alarm', 'back']);
});

test('without a ledger a status has the time of its first response, and nothing else is guessed', () => {
  const input = { kind: 'withdrawal', row, entries: [], made: null } as const;
  expect(told(timelineOf({ ...input, seen: seenAs('completed') })).at(-1)).toBe('900 s seen: Completed () request');
  expect(told(timelineOf({ ...input, seen: seenAs('under_review') })).at(-1)).toBe(
    '900 s seen: under_review () request',
  );
  for (const status of ['pending', null]) expect(timelineOf({ ...input, seen: seenAs(status) })).toHaveLength(1);
  expect(told(timelineOf({ ...input, seen: seenAs('broadcasted') })).at(-1)).toBe('900 s seen: Broadcast () request');
});

test('a deposit is detected, then available; ledger entries of an unknown form are shown as they are', () => {
  const input = { kind: 'deposit', row: { ...row, id: 'dep_1' }, made: null } as const;
  const arrived = entry('pending', '0.5', AT, 't1');
  const available = [entry('pending', '-0.5', AT + 600, 't2'), entry('available', '0.5', AT + 600, 't2')];
  const steps = timelineOf({
    ...input,
    seen: seenAs('completed'),
    entries: parse({ data: [arrived, ...available] }).data,
  });
  expect(told(steps)).toEqual([
    '0 s: Detected (0.5 BTC added to pending) payment ledger',
    '600 s: Available, 10 min after it was detected (0.5 BTC moved from pending to available) request ledger',
  ]);
  const failed = timelineOf({
    ...input,
    seen: seenAs('failed'),
    entries: parse({ data: [arrived, entry('pending', '-0.5', AT + 9, 't2')] }).data,
  });
  expect(told(failed).at(-1)).toBe(
    '9 s: Failed, under 1 min after it was detected (0.5 BTC removed from pending) request ledger',
  );
  const odd = parse({
    data: [
      { id: 'x', asset: 7, amount: 5, book: { a: 1 } },
      { id: 'y', amount: '2' },
    ],
  }).data;
  expect(told(timelineOf({ ...input, seen: seenAs('pending'), entries: odd })).slice(1)).toEqual([
    'at some time: Ledger entry () ledger',
    'at some time: Ledger entry (2 null added to an unnamed book) ledger',
  ]);
});
