// Test support: the rights of sessions in key mode.
import { KEY_SESSION_PERMISSIONS, type Rights } from '#src/shared/permissions.ts';

export const KEY_RIGHTS: Rights = { permissions: KEY_SESSION_PERMISSIONS, readOnly: false, keyRefused: false };
export const READ_ONLY_RIGHTS: Rights = { ...KEY_RIGHTS, readOnly: true };
export const REFUSED_KEY_RIGHTS: Rights = { ...KEY_RIGHTS, keyRefused: true };
export const VIEWER_RIGHTS: Rights = { ...KEY_RIGHTS, permissions: ['view'] };
