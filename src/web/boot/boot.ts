// A classic script in <head>, which the server injects (server/http/assets/preload.ts): it starts the page's first requests.
import { startEarly } from '#src/web/api/earlyRequests.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { OPEN_OPERATIONS, PREFERENCES_KEY } from '#src/shared/serverPaths.ts';
import { zoneName } from '#src/shared/time.ts';
import { readStored } from '#src/web/storage/browserStorage.ts';
import { firstRequests } from './firstRequests.ts';

/** The zone from the preferences, read without loading their module. */
function ownZone(): string {
  const stored = parseJson(readStored('localStorage', PREFERENCES_KEY));
  return zoneName(isObject(stored) && stored['zone'] === 'local' ? 'local' : 'utc');
}

const session: unknown = JSON.parse(document.getElementById('session')?.textContent ?? 'null');

if (typeof session === 'object' && session !== null) {
  const account: unknown = Reflect.get(session, 'account');
  const { pathname, search } = window.location;
  // The service refuses this key: only recorded operations can be read.
  const ofService = Reflect.get(session, 'journal_only') === true ? [] : firstRequests(pathname, search, ownZone());
  if (typeof account === 'string') startEarly(account, [...ofService, OPEN_OPERATIONS]);
}

// On list pages firstRows.tsx starts the app. If that script fails to load, start it here.
document.addEventListener(
  'error',
  ({ target }) => {
    const app = target instanceof HTMLScriptElement && target.dataset['app'];
    if (app) void import(/* @vite-ignore */ app);
  },
  true,
);
