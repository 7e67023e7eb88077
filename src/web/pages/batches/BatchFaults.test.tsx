import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { BatchError } from '#src/web/api/batches.ts';
import { ApiError } from '#src/web/api/errors.ts';
import { FileProblems } from './BatchFaults.tsx';

const refusal = new BatchError(new ApiError('Refused.', { kind: 'http', status: 400 }), {
  faults: [{ line: 2, message: 'The address is too long.' }],
});

test.each([
  ['suppliers.csv', '1 problem in suppliers.csv', 'Fix it in the file, and choose it again.'],
  [null, '1 problem in the pasted rows', 'Fix it in the rows, and review them again.'],
])('problems that only the server found are those of the file or of the pasted rows (%s)', (name, title, hint) => {
  const checked = { source: { name, text: '' }, read: null };
  for (const batch of [
    { ...checked, error: refusal, sending: { at: 'idle' as const } },
    { ...checked, error: null, sending: { at: 'refused' as const, error: refusal } },
  ]) {
    const text = renderToStaticMarkup(<FileProblems batch={batch} />).replaceAll(/<[^>]*>/g, '');
    expect(text).toContain(title);
    expect(text).toContain(hint);
    expect(text).toContain('The address is too long.');
  }
});
