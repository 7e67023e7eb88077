import { expect, test } from 'vitest';
import { ApiError } from '#src/web/api/errors.ts';
import { afterFailure, type Closable, newClosable, nextAttempt } from './closingAttempt.ts';
import type { RateFile } from './statement.ts';

const ready = newClosable({} as Closable);
const rates = { name: 'rates.csv' } as RateFile;
const lost = new ApiError('No response.', { kind: 'network' });
const refused = new ApiError('Too many.', { kind: 'http', status: 429 });

test('a retry of a close keeps its ID, and one with other rates gets another', () => {
  const first = nextAttempt(ready, null);
  expect(first.closing).toBe(ready.closing);
  expect(nextAttempt(first, null).closing).toBe(ready.closing);
  const second = nextAttempt(first, rates);
  expect(second.closing).not.toBe(ready.closing);
  expect(nextAttempt(second, rates).closing).toBe(second.closing);
  expect(nextAttempt(second, null).closing).not.toBe(second.closing);
});

test('after an attempt without a clear outcome the period may be closed, whatever a later attempt says', () => {
  expect(ready.mayBeClosed).toBe(false);
  expect(afterFailure(ready, refused).mayBeClosed).toBe(false);
  const unknown = afterFailure(ready, lost);
  expect(unknown.mayBeClosed).toBe(true);
  expect(afterFailure(nextAttempt(unknown, null), refused).mayBeClosed).toBe(true);
});
