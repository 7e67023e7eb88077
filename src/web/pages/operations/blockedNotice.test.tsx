import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { BlockedNotice } from './StatePage.tsx';

type Props = Parameters<typeof BlockedNotice>[0];
const shown = (props: Partial<Props>) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <BlockedNotice kind="charge" resolved="no" to={null} hasDraft={false} {...props} />
    </MemoryRouter>,
  );

test('an unresolved operation blocks the form that led to it, in the words of its kind', () => {
  expect(shown({})).toContain('Your new charge wasn’t sent.');
  expect(shown({})).toContain('Blocked by this unresolved charge.');
  expect(shown({ kind: 'withdrawal', to: 'to Acme' })).toContain('Resolve this one to Acme first.');
});

test.each(['yes', 'accepted'] as const)(
  'once resolved (%s) it blocks nothing, and leads back to a draft',
  (resolved) => {
    expect(shown({ resolved, hasDraft: true })).not.toContain('Blocked by');
    expect(shown({ resolved, hasDraft: true })).toContain('Continue your draft');
    expect(shown({ resolved })).toBe('');
  },
);

test('the notice says that typed values are kept only while there is a draft', () => {
  expect(shown({})).not.toContain('is kept');
  expect(shown({ hasDraft: true })).toContain('What you typed is kept.');
});
