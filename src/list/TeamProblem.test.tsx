import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ApiError } from '#src/api/errors.ts';
import { TeamProblem } from './TeamProblem.tsx';

const shown = (error: unknown) => renderToStaticMarkup(<TeamProblem error={error} heading="Not closed" />);

test('what the server refused was not saved; of what it did not answer nobody knows', () => {
  const refused = new ApiError('No.', { kind: 'http', status: 500 });
  expect(shown(refused)).toContain('Not closed');
  const lost = shown(new ApiError('The connection was lost.', { kind: 'network' }));
  expect(lost).toContain('We don’t know whether this was saved');
  expect(lost).not.toContain('Not closed');
});
