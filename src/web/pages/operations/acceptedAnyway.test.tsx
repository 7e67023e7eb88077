import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { stateMarkOf } from '#src/shared/operations/stateMark.ts';
import { acceptedAnyway } from './StatePage.tsx';

const fault = new Error('a view that throws');
const mark = stateMarkOf({ state: 'succeeded' });

test('an accepted operation whose page throws is shown as accepted, with the id from the record', () => {
  const html = renderToStaticMarkup(acceptedAnyway({ one: 'withdrawal', id: 'wd_4Tq8Zk2N', mark }, fault));
  expect(html).toContain('Accepted by the provider');
  expect(html).toContain('wd_4Tq8Zk2N');
});

test('an accepted operation without an id is shown as accepted, too', () => {
  const html = renderToStaticMarkup(acceptedAnyway({ one: 'webhook replay', id: null, mark }, fault));
  expect(html).toContain('The provider has accepted this webhook replay</b><span>.');
});

test('an operation that was not accepted rethrows the error', () => {
  expect(() => acceptedAnyway(null, fault)).toThrow('a view that throws');
});
