import { startEarly } from '#src/api/earlyRequests.ts';
import { firstRequests } from './firstRequests.ts';

const session: unknown = JSON.parse(document.getElementById('session')?.textContent ?? 'null');

// A key that the service refuses reads nothing but what is recorded here.
if (typeof session === 'object' && session !== null && Reflect.get(session, 'journal_only') !== true) {
  const account: unknown = Reflect.get(session, 'account');
  const { pathname, search } = window.location;
  if (typeof account === 'string') startEarly(account, firstRequests(pathname, search));
}
