import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AcceptedBoundary } from './AcceptedBoundary.tsx';

function broken(accepted: { one: string; id: string | null } | null): AcceptedBoundary {
  const boundary = new AcceptedBoundary({ accepted, children: 'the view' });
  boundary.state = { ...boundary.state, ...AcceptedBoundary.getDerivedStateFromError(new Error('a view that throws')) };
  return boundary;
}

test('a success whose view throws is still said to be accepted, with the id from the record', () => {
  const shown = renderToStaticMarkup(broken({ one: 'withdrawal', id: 'wd_4Tq8Zk2N' }).render());
  expect(shown).toContain('Accepted by the service');
  expect(shown).toContain('wd_4Tq8Zk2N');
});

test('so is one that the service gave no id', () => {
  const shown = renderToStaticMarkup(broken({ one: 'webhook replay', id: null }).render());
  expect(shown).toContain('The service has accepted this webhook replay</b>.');
});

test('of anything but a success the boundary claims nothing', () => {
  expect(() => broken(null).render()).toThrow('a view that throws');
});
