import {
  DEMO_SIGN_IN_PATH,
  OIDC_CALLBACK_PATH,
  OIDC_PATH,
  PASSKEY_SIGN_IN_PATH,
  TICKET_PATH,
} from '#src/shared/serverPaths.ts';
import { findRoute } from './routePermissions.ts';

/** Paths of the server that no session opens. */
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
/** Pages of the app, its other files, and paths that lead nowhere. */
const APP = '/*';

/** The pattern of a request's path, of which there are few: no ids, and nothing that a stranger made up. */
export function requestRoute(method: string, path: string): string {
  const route = findRoute(method, path);
  if (route !== null) return route.path;
  if (OTHERS.has(path)) return path;
  const folder = FOLDERS.find((one) => `${path}/`.startsWith(one));
  return folder === undefined ? APP : `${folder}*`;
}
