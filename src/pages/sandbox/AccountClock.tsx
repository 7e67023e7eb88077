import { useQuery } from '@tanstack/react-query';
import { sandboxQueries } from '#src/api/sandboxControls.ts';
import { Time, useZone } from '#src/ui/Time.tsx';
import { useNow } from '#src/ui/useNow.ts';
import type { SandboxAccount } from './sandboxAccount.ts';

/** Less than this is the way to the server and back. */
const SAME_SECONDS = 10;

/** The account's own clock, going on from its last reading, and how far it is ahead. */
export function AccountClock({ owner }: { owner: SandboxAccount }) {
  const { data, dataUpdatedAt } = useQuery(sandboxQueries.state(owner.account, owner.sandbox));
  const now = useNow(1);
  const zone = useZone();
  if (!data) return null;
  const ahead = data.now - Math.floor(dataUpdatedAt / 1000);
  return (
    <span>
      The account’s clock: <Time unix={Math.max(data.now, now + ahead)} />
      {zone === 'utc' && ' UTC'}
      {ahead > SAME_SECONDS && `, ${lengthOf(ahead)} ahead of this device`}
    </span>
  );
}

function lengthOf(exact: number): string {
  const seconds = exact < 60 ? exact : Math.round(exact / 60) * 60;
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return said.length === 0 ? `${seconds} s` : said.join(' ');
}
