import { expect, test } from 'vitest';
import { readOperationFilters, withFilter } from './operationFilters.ts';

test('state and kind come from the URL; junk means all, and is named', () => {
  expect(readOperationFilters(new URLSearchParams('state=not-sent&kind=charge'))).toEqual({
    state: 'not-sent',
    kind: 'charge',
    ignored: [],
  });
  expect(readOperationFilters(new URLSearchParams('state=lost&state=closed&kind='))).toEqual({
    state: undefined,
    kind: undefined,
    ignored: ['state=lost', 'state=closed', 'kind='],
  });
});

test('a changed filter leaves the rest of the URL', () => {
  const search = new URLSearchParams('state=closed&kind=charge&other=1');
  expect(withFilter(search, { state: undefined })).toBe('kind=charge&other=1');
  expect(withFilter(search, { kind: 'withdrawal' })).toBe('state=closed&kind=withdrawal&other=1');
});
