import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { chipOf, type StateMark } from '#src/lib/operations/stateMark.ts';
import { AcceptedBoundary } from './StatePage.tsx';

function broken(accepted: { one: string; id: string | null; mark: StateMark } | null): AcceptedBoundary {
  const boundary = new AcceptedBoundary({ accepted, children: 'the view' });
  boundary.state = { ...boundary.state, ...AcceptedBoundary.getDerivedStateFromError(new Error('a view that throws')) };
  return boundary;
}

const mark = chipOf({ state: 'succeeded' });

test('a success whose view throws is still said to be accepted, with the id from the record', () => {
  const shown = renderToStaticMarkup(broken({ one: 'withdrawal', id: 'wd_4Tq8Zk2N', mark }).render());
  expect(shown).toContain('Accepted by the service');
  expect(shown).toContain('wd_4Tq8Zk2N');
});

test('so is one that the service gave no id', () => {
  const shown = renderToStaticMarkup(broken({ one: 'webhook replay', id: null, mark }).render());
  expect(shown).toContain('The provider has accepted this webhook replay</b>.');
});

test('of anything but a success the boundary claims nothing', () => {
  expect(() => broken(null).render()).toThrow('a view that throws');
});
