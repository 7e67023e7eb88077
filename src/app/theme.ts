import { getPreferences, subscribePreferences } from '#src/storage/preferences.ts';

function apply(): void {
  const { theme } = getPreferences();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Keeps <html data-theme> equal to the person's choice, also when another tab changes it. */
export function followTheme(): void {
  apply();
  subscribePreferences(apply);
}
