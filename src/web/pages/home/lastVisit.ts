import { useEffect, useEffectEvent } from 'react';
import { useSession } from '#src/web/api/session.ts';
import { getPreferences, type Preferences, setPreferences, usePreferences } from '#src/web/storage/preferences.ts';

type Visit = Preferences['visits'][string];

/** Coming back later than this counts as another visit. */
const AWAY_SECONDS = 1800;

export function visitAt(before: Visit | undefined, now: number): Visit {
  if (before === undefined) return { since: null, at: now };
  return { since: now - before.at > AWAY_SECONDS ? before.at : before.since, at: Math.max(now, before.at) };
}

/**
 * When this browser's previous visit to Home ended, Unix seconds; null if there was none.
 * `readAt`: when the visible payments were read, by the service's clock, so that older ones count as seen. Null: not read yet.
 */
export function useLastVisit(readAt: number | null): number | null {
  const { service, account } = useSession();
  const key = `${service} ${account}`;
  const noteVisit = useEffectEvent((of: string, at: number) => {
    // A page left open overnight in the background was not visited.
    if (document.visibilityState !== 'visible') return;
    const { visits } = getPreferences();
    setPreferences({ visits: { ...visits, [of]: visitAt(visits[of], at) } });
  });
  useEffect(() => {
    if (readAt !== null) noteVisit(key, readAt);
  }, [key, readAt]);
  const { visits } = usePreferences();
  return visits[key]?.since ?? null;
}
