import { expect, test } from 'vitest';
import { attempt, record } from './testRecords.ts';
import type { Operation } from './record.ts';
import { unsettledOf } from './stateMark.ts';

const waits = (operation: Operation, ageMs: number): boolean =>
  unsettledOf({
    views: [{ operation, underWay: false, waiting: false, now: operation.firstSent.server + ageMs }],
    unreadable: [],
  }).length === 1;

test('what was saved a moment ago is about to be sent, and waits for nobody; what stays so does', () => {
  const saved: Operation = { ...record, state: 'ready', reason: undefined, attempts: [] };
  expect(waits(saved, 100)).toBe(false);
  expect(waits(saved, 3_000)).toBe(true);
  // Its send was tried and nothing left.
  expect(waits({ ...saved, attempts: [{ ...attempt, outcome: 'not-made' }] }, 100)).toBe(true);
  expect(waits(record, 100)).toBe(true);
});
