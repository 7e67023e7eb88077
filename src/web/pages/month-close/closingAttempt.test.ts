import { expect, test } from 'vitest';
import { ApiError } from '#src/web/api/errors.ts';
import { afterFailure, type Closable } from './closingAttempt.ts';

const ready = { mayBeClosed: false } as Closable;
const lost = new ApiError('No response.', { kind: 'network' });
const refused = new ApiError('Too many.', { kind: 'http', status: 429 });

test('after an attempt without a clear outcome the period may be closed, whatever a later attempt says', () => {
  expect(afterFailure(ready, refused).mayBeClosed).toBe(false);
  const unknown = afterFailure(ready, lost);
  expect(unknown.mayBeClosed).toBe(true);
  expect(afterFailure(unknown, refused).mayBeClosed).toBe(true);
});
