import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ZoneContext } from '#src/web/ui/Time.tsx';
import { PreparedNote } from './PreparedNote.tsx';

test('a month that the server prepared in the background says when, in the zone of the account', () => {
  const at = Date.UTC(2026, 10, 3, 2, 10, 59) / 1000;
  const html = renderToStaticMarkup(
    <ZoneContext value="utc">
      <PreparedNote at={at} now={at + 86_400} />
    </ZoneContext>,
  );
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe('Prepared on 3 Nov, 02:10 UTC: two equal readings');
});
