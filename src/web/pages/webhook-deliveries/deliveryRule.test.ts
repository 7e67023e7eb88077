import { expect, test } from 'vitest';
import { deliveryRule, deliveryWarning } from './ReplayPage.tsx';

test('an id is free text without invisible characters', () => {
  for (const id of ['whd_9fK2', ' whd_9fK2 ', '17', 'a/b?c#d']) expect(deliveryRule(id), id).toBe(true);
  for (const id of ['', ' ', 'whd_1 whd_2', 'whd_\u200B1', 'whd_\u202E1', '../whd_1', 'whd%2F1', 'x'.repeat(201)]) {
    expect(deliveryRule(id), id).not.toBe(true);
  }
});

test('an id that looks like another object’s gives a warning and is not refused', () => {
  expect(deliveryWarning('dep_1')).toContain('deposit');
  expect(deliveryWarning(' wd_1')).toContain('withdrawal');
  expect(deliveryWarning('17')).toContain('usually start with whd_');
  expect([deliveryWarning('whd_1'), deliveryWarning(' ')]).toEqual([undefined, undefined]);
});
