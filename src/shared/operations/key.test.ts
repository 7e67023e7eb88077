import { expect, it } from 'vitest';
import { newKey } from './random.ts';

it('keys are UUIDs of version 4, also where randomUUID is missing', () => {
  expect(newKey()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(newKey()).not.toBe(newKey());
});
