import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ApiError, type ApiErrorFacts } from '#src/web/api/errors.ts';
import { TeamProblem } from './TeamProblem.tsx';

const shown = (error: unknown) => renderToStaticMarkup(<TeamProblem error={error} heading="Not closed" />);

test('a web page or a redirect in place of the server offers to load the page again', () => {
  expect(shown(new ApiError('Page.', { kind: 'web-page', status: 401 }))).toContain('Reload page');
  expect(shown(new ApiError('Elsewhere.', { kind: 'redirect' }))).toContain('Reload page');
  expect(shown(new ApiError('No.', { kind: 'http', status: 401 }))).not.toContain('Reload page');
});

test.each<ApiErrorFacts>([
  { kind: 'http', status: 409 },
  { kind: 'http', status: 422 },
  { kind: 'cut', status: 403 },
  { kind: 'offline' },
])('what was refused or never left was not saved: %o', (facts) => {
  expect(shown(new ApiError('No.', facts))).toContain('Not closed');
});

test.each<ApiErrorFacts>([
  { kind: 'network' },
  { kind: 'timeout' },
  { kind: 'cut', status: 200 },
  { kind: 'not-json', status: 200 },
  { kind: 'web-page', status: 403 },
  { kind: 'not-contract', status: 200 },
  { kind: 'http', status: 408 },
  { kind: 'http', status: 500 },
  { kind: 'http', status: 502, gateway: 'upstream' },
  { kind: 'http', status: 503, code: 'not_ready' },
])('of anything else nobody knows: %o', (facts) => {
  const lost = shown(new ApiError('Lost.', facts));
  expect(lost).toContain('We don’t know whether this was saved');
  expect(lost).not.toContain('Not closed');
});
