import {
  DEMO_SIGN_IN_PATH,
  OIDC_CALLBACK_PATH,
  OIDC_PATH,
  PASSKEY_SIGN_IN_PATH,
  TICKET_PATH,
} from '#src/shared/serverPaths.ts';
import { findRoute } from './routeAbilities.ts';

/** Server paths that need no session. */
const OTHERS = new Set([
  '/healthz',
  '/readyz',
  '/session',
  TICKET_PATH,
  PASSKEY_SIGN_IN_PATH,
  DEMO_SIGN_IN_PATH,
  OIDC_PATH,
  OIDC_CALLBACK_PATH,
  '/api/join',
]);
const FOLDERS = ['/sandbox/', '/assets/'];
/** Stands for the app's pages, its other files, and unknown paths. */
const APP = '/*';

/** The pattern of a request's path. There are only few: a pattern contains no ids and no text from the client. */
export function requestRoute(method: string, path: string): string {
  const route = findRoute(method, path);
  if (route !== null) return route.path;
  if (OTHERS.has(path)) return path;
  const folder = FOLDERS.find((one) => `${path}/`.startsWith(one));
  return folder === undefined ? APP : `${folder}*`;
}
