import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { chipOf } from '#src/shared/operations/stateMark.ts';
import { acceptedAnyway } from './StatePage.tsx';

const fault = new Error('a view that throws');
const mark = chipOf({ state: 'succeeded' });

test('a success whose view throws is still said to be accepted, with the id from the record', () => {
  const shown = renderToStaticMarkup(acceptedAnyway({ one: 'withdrawal', id: 'wd_4Tq8Zk2N', mark }, fault));
  expect(shown).toContain('Accepted by the provider');
  expect(shown).toContain('wd_4Tq8Zk2N');
});

test('so is one that the service gave no id', () => {
  const shown = renderToStaticMarkup(acceptedAnyway({ one: 'webhook replay', id: null, mark }, fault));
  expect(shown).toContain('The provider has accepted this webhook replay</b><span>.');
});

test('of anything but a success the boundary claims nothing', () => {
  expect(() => acceptedAnyway(null, fault)).toThrow('a view that throws');
});
