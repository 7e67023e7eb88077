import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ProviderMessage } from './missingWithdrawals.tsx';

test('the provider’s message about a missing withdrawal can’t reorder or fill the page', () => {
  const text = (message: string) =>
    renderToStaticMarkup(<ProviderMessage error={{ message, requestId: 'req_\u202e1' }} />).replaceAll(/<[^>]*>/g, '');
  expect(text('No such\u202e withdrawal.')).toBe('No such⟨U+202E⟩ withdrawal. Request ID req_⟨U+202E⟩1.');
  expect(text('x'.repeat(100_000)).length).toBeLessThan(500);
});
