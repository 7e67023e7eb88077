import { expect, test } from 'vitest';
import { parseViews } from './views.ts';

test.each([null, '', '{', '[]', '7', 'null', '{"s a":7}'])('%s holds no view', (text) => {
  expect(Object.values(parseViews(text)).flat()).toEqual([]);
});

test('views come back by owner, without what is none', () => {
  const view = { name: 'Pending BTC', path: '/deposits', search: 'status=pending&asset=BTC' };
  const elsewhere = { ...view, path: 'https://example.org' };
  expect(parseViews(JSON.stringify({ 's a': [view, elsewhere, null, { name: 'x' }] }))).toEqual({ 's a': [view] });
});
