import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { RefusedKeyBanner } from './ProviderKeyBanner.tsx';

const textOf = (account: string | null): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <RefusedKeyBanner account={account} />
    </MemoryRouter>,
  ).replaceAll(/<[^>]*>/g, '');

test('the banner about a refused API key names the account if there are several', () => {
  expect(textOf('eu')).toContain('The provider no longer accepts the API key of account eu. Whoever runs');
  expect(textOf(null)).toContain('The provider no longer accepts the API key of this account. Whoever runs');
});
