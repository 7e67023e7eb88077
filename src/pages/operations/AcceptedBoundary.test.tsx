import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AcceptedBoundary } from './AcceptedBoundary.tsx';

function broken(acceptedId: string | null): AcceptedBoundary {
  const boundary = new AcceptedBoundary({ acceptedId, children: 'the view' });
  boundary.state = { ...boundary.state, ...AcceptedBoundary.getDerivedStateFromError(new Error('a view that throws')) };
  return boundary;
}

test('a success whose view throws is still said to be accepted, with the id from the record', () => {
  const shown = renderToStaticMarkup(broken('wd_4Tq8Zk2N').render());
  expect(shown).toContain('Accepted by the service');
  expect(shown).toContain('wd_4Tq8Zk2N');
});

test('of anything but a success the boundary claims nothing', () => {
  expect(() => broken(null).render()).toThrow('a view that throws');
});
