import * as v from 'valibot';
import { expect, test } from 'vitest';
import { closeRequestSchema, RATE_BYTES_MAX } from './monthJobContract.ts';

const accepts = (rates: string): boolean => v.is(closeRequestSchema, { sha256: 'a'.repeat(64), rates });

test('a rate file of the maximum size is accepted', () => {
  expect(accepts(Buffer.alloc(RATE_BYTES_MAX, 7).toString('base64'))).toBe(true);
});

test('only whole base64 is accepted', () => {
  for (const bytes of [0, 1, 2, 3]) expect(accepts(Buffer.alloc(bytes, 255).toString('base64'))).toBe(true);
  for (const text of ['A', 'AAA', 'AA=A', 'A===', 'AAAA\n', 'AA-_', ' AAA', 'AAAÄ']) expect(accepts(text)).toBe(false);
});
