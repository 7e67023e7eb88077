// Before the first paint, so that a theme chosen against the system's does not flash; app/theme.ts takes over from here.
try {
  const { theme } = JSON.parse(localStorage.getItem('countinghouse.preferences')) ?? {};
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Nothing that can be read: the system's theme.
}
