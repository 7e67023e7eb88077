import { expect, test } from 'vitest';
import { noticesOfBatch } from './noticesOfBatch.ts';

const before = { state: 'running' } as const;
const cause = { subject: 'batch-1', episode: '4' };

test.each([
  { state: 'done', why: null, events: ['batch.done'] },
  { state: 'paused', why: 'unconfirmed', events: ['batch.paused'] },
  // Approvers get a notice as well, because it needs more approvals.
  { state: 'paused', why: 'unapproved', events: ['batch.paused', 'batch.awaiting'] },
  { state: 'paused', why: 'person', events: [] },
] as const)('a batch that is $state because of $why raises $events', ({ state, why, events }) => {
  const next = { id: 'batch-1', state, why, revision: 4 };
  expect(noticesOfBatch(next, before)).toEqual(events.map((event) => ({ event, ...cause })));
});

test('a batch that was not being sent raises nothing when it ends', () => {
  const next = { id: 'batch-1', state: 'done', why: null, revision: 4 } as const;
  expect(noticesOfBatch(next, { state: 'paused' })).toEqual([]);
});
