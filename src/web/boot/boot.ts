import { startEarly } from '#src/web/api/earlyRequests.ts';
import { OPEN_OPERATIONS } from '#src/shared/serverPaths.ts';
import { firstRequests } from './firstRequests.ts';

const session: unknown = JSON.parse(document.getElementById('session')?.textContent ?? 'null');

if (typeof session === 'object' && session !== null) {
  const account: unknown = Reflect.get(session, 'account');
  const { pathname, search } = window.location;
  // A key that the service refuses reads nothing but what is recorded here.
  const ofService = Reflect.get(session, 'journal_only') === true ? [] : firstRequests(pathname, search);
  if (typeof account === 'string') startEarly(account, [...ofService, OPEN_OPERATIONS]);
}

// On the page of a list the script of the first rows starts the app: without it, this one does.
document.addEventListener(
  'error',
  ({ target }) => {
    const app = target instanceof HTMLScriptElement && target.dataset['app'];
    if (app) void import(/* @vite-ignore */ app);
  },
  true,
);
