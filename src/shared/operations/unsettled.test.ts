import { expect, test } from 'vitest';
import { attemptNote, testOperation } from './testRecords.ts';
import type { Operation } from './record.ts';
import { unsettledOf } from './unsettled.ts';

const waits = (operation: Operation, ageMs: number): boolean =>
  unsettledOf({
    views: [{ operation, underWay: false, waiting: false, now: operation.firstSent.server + ageMs }],
    unreadable: [],
  }).length === 1;

test('an operation saved a moment ago does not wait for a person; one that stays saved does', () => {
  const saved: Operation = { ...testOperation, state: 'ready', reason: undefined, attempts: [] };
  expect(waits(saved, 100)).toBe(false);
  expect(waits(saved, 3_000)).toBe(true);
  // Sending was tried and nothing was sent.
  expect(waits({ ...saved, attempts: [{ ...attemptNote, outcome: 'not-made' }] }, 100)).toBe(true);
  expect(waits(testOperation, 100)).toBe(true);
});
