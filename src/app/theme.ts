import { setSingleKeys } from '#src/ui/Keys.tsx';
import { getPreferences, subscribePreferences } from '#src/storage/preferences.ts';

/** As long as browsers keep a cookie. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60;

function apply(): void {
  const { theme, singleKeys } = getPreferences();
  setSingleKeys(singleKeys);
  // The server writes it into the page, so that a theme chosen against the system's does not flash.
  document.cookie = `countinghouse-theme=${theme}; Path=/; SameSite=Strict; Max-Age=${theme === 'system' ? 0 : LONGEST_SECONDS}`;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Keeps the page's theme and its keys as the person chose them, also when another tab changes them. */
export function followPreferences(): void {
  apply();
  subscribePreferences(apply);
}
