import { getPreferences, subscribePreferences } from '#src/storage/preferences.ts';

/** As long as browsers keep a cookie. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60;

function apply(): void {
  const { theme } = getPreferences();
  // The server writes it into the page, so that a theme chosen against the system's does not flash.
  document.cookie = `countinghouse-theme=${theme}; Path=/; SameSite=Strict; Max-Age=${theme === 'system' ? 0 : LONGEST_SECONDS}`;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Keeps <html data-theme> equal to the person's choice, also when another tab changes it. */
export function followTheme(): void {
  apply();
  subscribePreferences(apply);
}
