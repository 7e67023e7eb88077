import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ZoneContext } from '#src/web/ui/Time.tsx';
import { WatchProblem } from './NoticeChannels.tsx';

test('Notices says since when not everything could be read from the provider, and why', () => {
  const html = renderToStaticMarkup(
    <ZoneContext value="utc">
      <WatchProblem watch={{ failing_since: Date.UTC(2020, 10, 3, 2, 10, 59) / 1000, problem: 'No connection.' }} />
    </ZoneContext>,
  );
  expect(html.replaceAll(/<[^>]*>/g, '')).toMatch(
    /^Not everything could be read from the provider since 3 Nov 2020.*\. ?No connection\. Until it can, some payments/,
  );
});
