import type { Collection } from './contract/teamContract.ts';

// Who may do what, for server, pages and tests. Default deny: a route that isn't here is refused.

/** What a person can be granted on an account: an operator has prepare, an approver approve. */
export const PERMISSIONS = ['view', 'prepare', 'approve', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A role is a permission with view. A person may have several. */
export const ROLES = {
  view: 'viewer',
  prepare: 'operator',
  approve: 'approver',
  admin: 'admin',
} as const satisfies Record<Permission, string>;

/** The permissions in their order, with view if there are any, as every role includes it. */
export function withView(permissions: readonly Permission[]): Permission[] {
  if (permissions.length === 0) return [];
  return PERMISSIONS.filter((permission) => permission === 'view' || permissions.includes(permission));
}

/** The roles of a person in words: "viewer" only if they have no other. Ignores permissions of a later version. */
export function rolesOf(permissions: readonly string[]): string[] {
  const roles = PERMISSIONS.filter((permission) => permission !== 'view' && permissions.includes(permission));
  if (roles.length > 0) return roles.map((permission) => ROLES[permission]);
  return permissions.includes('view') ? [ROLES.view] : [];
}

interface AbilityRule {
  /** One of these is enough. */
  anyOf: readonly Permission[];
  /** Completes "Only an operator can …". */
  text: string;
  /** Possible on a server with READ_ONLY. */
  onReadOnlyServer?: true;
  /** Possible after the service refused the session's API key. */
  withRefusedKey?: true;
  /** With SIGN_IN=key, possible for everybody who has the key: people have no such roles there. */
  withAnyKey?: true;
}

const ANYONE = PERMISSIONS;
const EDITORS = ['view', 'prepare', 'approve'] as const;
const OPERATOR_OR_APPROVER = ['prepare', 'approve'] as const;
const OPERATOR = ['prepare'] as const;

export const ABILITIES = {
  read: { anyOf: ANYONE, text: 'see this', onReadOnlyServer: true },
  'read-operations': { anyOf: ANYONE, text: 'see operations', onReadOnlyServer: true, withRefusedKey: true },
  /** Notes, labels of addresses, saved views, and who is working on a case. */
  annotate: { anyOf: EDITORS, text: 'write notes' },
  'mark-handled': { anyOf: OPERATOR_OR_APPROVER, text: 'mark payments as handled' },
  'change-settings': { anyOf: OPERATOR_OR_APPROVER, text: 'change settings' },
  check: { anyOf: OPERATOR_OR_APPROVER, text: 'check operations', onReadOnlyServer: true },
  /** Record a withdrawal, deposit address, charge or webhook replay. */
  prepare: { anyOf: OPERATOR, text: 'send or create anything' },
  send: { anyOf: OPERATOR, text: 'send' },
  /** A ticket to sign payments: one's own as an operator, others' as an approver. */
  sign: { anyOf: OPERATOR_OR_APPROVER, text: 'sign payments' },
  /** Approve a payment of somebody else. It takes a recent sign-in as well. */
  approve: { anyOf: ['approve'], text: 'approve payments' },
  /** Decide about somebody else's payment without approving it: reject it, stop its resends, send it once approved. */
  decide: { anyOf: ['approve'], text: 'approve payments' },
  discard: { anyOf: OPERATOR, text: 'discard operations', withRefusedKey: true },
  /** Stop a batch; withdraw one's own, or exclude one of its payments. */
  'stop-batch': { anyOf: OPERATOR_OR_APPROVER, text: 'stop a batch', withRefusedKey: true },
  /** Withdraw a batch that somebody else prepared, or exclude one of its payments: that rejects them. */
  'end-others-batch': { anyOf: ['approve'], text: 'end a batch that somebody else prepared', withRefusedKey: true },
  close: { anyOf: OPERATOR_OR_APPROVER, text: 'close operations', withRefusedKey: true },
  'confirm-not-sent': { anyOf: OPERATOR_OR_APPROVER, text: 'confirm that a payment was not sent' },
  'save-recipients': { anyOf: OPERATOR, text: 'change recipients' },
  /** Confirm that a recipient is who it claims to be, so that payments to it need fewer approvals. Not for the person who added or named it. */
  'confirm-recipients': { anyOf: ['approve'], text: 'confirm recipients' },
  /** Wider than confirming: a block only stops payments. */
  'block-recipients': { anyOf: ['prepare', 'approve', 'admin'], text: 'block recipients' },
  'save-standing-payments': { anyOf: OPERATOR, text: 'change standing payments' },
  'set-pay-by': { anyOf: OPERATOR_OR_APPROVER, text: 'set a pay-by date' },
  'close-month': { anyOf: OPERATOR, text: 'close a month' },
  /** Start, continue, cancel and download one's own exports, and have the server prepare a month close. */
  export: { anyOf: ANYONE, text: 'export', onReadOnlyServer: true },
  'read-policy': { anyOf: ANYONE, text: 'see the approval rules', onReadOnlyServer: true },
  /** Propose approval rules, or confirm another admin's proposal. */
  'change-policy': { anyOf: ['admin'], text: 'change the approval rules' },
  'veto-policy': { anyOf: ['approve', 'admin'], text: 'stop a change of the approval rules' },
  'read-people': { anyOf: ANYONE, text: 'see the people', onReadOnlyServer: true },
  'manage-people': { anyOf: ['admin'], text: 'manage people' },
  /** Confirm a waiting role: an admin, or where none can sign in, somebody whose own admin role was given on the console. */
  'confirm-roles': { anyOf: ANYONE, text: 'confirm roles' },
  /** Refuse that somebody becomes an approver or an admin, while that is pending. */
  'veto-roles': { anyOf: ['approve', 'admin'], text: 'refuse new approvers and admins' },
  /** Read one's own activity; everybody's needs `read-all-activity`, except in key mode. */
  'read-activity': { anyOf: ANYONE, text: 'see the activity', onReadOnlyServer: true },
  'read-all-activity': { anyOf: ['approve', 'admin'], text: 'see what others did', onReadOnlyServer: true },
  'read-notices': { anyOf: ['approve', 'admin'], text: 'see the notices', onReadOnlyServer: true, withAnyKey: true },
  'send-notices': { anyOf: ['approve', 'admin'], text: 'send notices', withAnyKey: true },
  /** End one's own sessions; choose which account a session is on. */
  'own-sessions': { anyOf: ANYONE, text: 'end their own sessions', onReadOnlyServer: true },
  'read-own-passkeys': { anyOf: ANYONE, text: 'see their own passkeys', onReadOnlyServer: true },
  'own-passkeys': { anyOf: ANYONE, text: 'change their own passkeys' },
  'read-own-email': { anyOf: ANYONE, text: 'see their own e-mail address', onReadOnlyServer: true },
  'own-email': { anyOf: ANYONE, text: 'change their own e-mail address' },
} as const satisfies Record<string, AbilityRule>;
export type Ability = keyof typeof ABILITIES;

/** The ability needed to withdraw a batch or exclude one of its payments. In key mode a batch has no owner. */
export function abilityToEndBatch(batch: { person: string | null }, person: string | null): Ability {
  return batch.person === null || batch.person === person ? 'stop-batch' : 'end-others-batch';
}

/** What decides whether a person can do something. */
export interface Rights {
  permissions: readonly Permission[];
  /** The server runs with READ_ONLY. */
  readOnly: boolean;
  /** The service refuses the session's API key. */
  keyRefused: boolean;
  /** Newer records may be missing after a restore, so people have no permission but view. */
  setBack?: boolean;
  /** The session began with an API key (SIGN_IN=key). */
  hasKey?: boolean;
}

export const KEY_SESSION_PERMISSIONS: readonly Permission[] = ['view', 'prepare'];

export interface Refusal {
  code: 'read_only' | 'key_refused' | 'set_back' | 'not_permitted';
  /** One sentence for the person. */
  message: string;
}

/** Why a person with these rights can't do something; null if they can. */
export function refusalOf(
  ability: Ability,
  { permissions, readOnly, keyRefused, setBack, hasKey }: Rights,
): Refusal | null {
  const rule: AbilityRule = ABILITIES[ability];
  if (keyRefused && !rule.withRefusedKey)
    return { code: 'key_refused', message: 'The provider no longer accepts this API key.' };
  if (readOnly && !rule.onReadOnlyServer) return { code: 'read_only', message: 'This dashboard is read-only.' };
  if (permissions.some((permission) => rule.anyOf.includes(permission))) return null;
  if (hasKey && rule.withAnyKey) return null;
  if (setBack)
    return {
      code: 'set_back',
      message: 'Newer records may be missing, so people can only look until whoever runs the server ends this.',
    };
  return { code: 'not_permitted', message: `Only ${roleHolders(rule.anyOf)} can ${rule.text}.` };
}

export function isAllowed(ability: Ability, rights: Rights): boolean {
  return refusalOf(ability, rights) === null;
}

/** "an operator or an approver" */
function roleHolders(permissions: readonly Permission[]): string {
  const roles = permissions.map((permission) => ROLES[permission]);
  const named = roles.map((role) => (/^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`));
  return [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' or ');
}

/** The ability needed to write to each collection. Marking as handled needs `mark-handled` as well. */
export const COLLECTION_WRITES = {
  recipients: 'save-recipients',
  views: 'annotate',
  marks: 'annotate',
  notes: 'annotate',
  'deposit-addresses': 'annotate',
  settings: 'change-settings',
  'closed-periods': 'close-month',
  'pay-by': 'set-pay-by',
  'standing-payments': 'save-standing-payments',
} as const satisfies Record<Collection, Ability>;

const TEAM_WRITES = Object.entries(COLLECTION_WRITES).flatMap(([collection, ability]) => [
  [`POST /api/team/${collection}`, ability] as const,
  [`PUT /api/team/${collection}/:id`, ability] as const,
  [`DELETE /api/team/${collection}/:id`, ability] as const,
]);

/** Every route that a session opens, as "METHOD path"; the path as Hono writes it. */
export const ROUTES: ReadonlyMap<string, Ability> = new Map<string, Ability>([
  ['GET /v1/*', 'read'],
  ['GET /api/operations', 'read-operations'],
  ['GET /api/operations/close-set-back', 'read-operations'],
  ['POST /api/operations/close-set-back', 'close'],
  ['GET /api/operations/:key', 'read-operations'],
  ['POST /api/operations/review', 'prepare'],
  ['PUT /api/operations/:key', 'prepare'],
  ['DELETE /api/operations/:key', 'discard'],
  ['POST /api/operations/:key/send', 'send'],
  ['POST /api/operations/:key/check', 'check'],
  ['POST /api/operations/:key/close', 'close'],
  ['POST /api/operations/:key/not-sent', 'confirm-not-sent'],
  ['GET /api/batches', 'read-operations'],
  ['POST /api/batches/review', 'prepare'],
  ['GET /api/batches/:id', 'read-operations'],
  ['GET /api/batches/:id/file', 'read-operations'],
  ['GET /api/batches/:id/review', 'read'],
  ['PUT /api/batches/:id', 'prepare'],
  ['POST /api/batches/:id/start', 'send'],
  ['POST /api/batches/:id/stop', 'stop-batch'],
  ['POST /api/batches/:id/exclude', 'stop-batch'],
  ['POST /api/batches/:id/withdraw', 'stop-batch'],
  ['GET /api/team/:collection', 'read'],
  ['GET /api/team/:collection/:id', 'read'],
  ['GET /api/team/closed-periods/:closing/file', 'read'],
  ...TEAM_WRITES,
  ['GET /api/overview', 'read'],
  ['GET /api/overview/addresses', 'read'],
  ['GET /api/overview/assets/:asset', 'read'],
  ['GET /api/overview/recipients/:id', 'read'],
  ['GET /api/overview/deposit-addresses/:id', 'read'],
  ['GET /api/activity', 'read-activity'],
  ['GET /api/notices', 'read-notices'],
  ['POST /api/notices/:id/again', 'send-notices'],
  ['POST /api/notices/test', 'send-notices'],
  ['GET /api/jobs', 'export'],
  ['POST /api/jobs', 'export'],
  ['GET /api/jobs/:id', 'export'],
  ['DELETE /api/jobs/:id', 'export'],
  ['POST /api/jobs/:id/continue', 'export'],
  ['GET /api/jobs/:id/file', 'export'],
  ['POST /api/jobs/:id/close', 'close-month'],
  ['GET /api/approvals', 'read-operations'],
  ['GET /api/approvals/:key', 'read-operations'],
  ['POST /api/approvals', 'decide'],
  ['POST /api/approvals/ticket', 'sign'],
  ['GET /api/recipients', 'read-people'],
  ['GET /api/recipients/:id', 'read-people'],
  ['POST /api/recipients/confirm', 'confirm-recipients'],
  ['POST /api/recipients/block', 'block-recipients'],
  ['GET /api/policy', 'read-policy'],
  ['PUT /api/policy', 'change-policy'],
  ['POST /api/policy/:number/confirm', 'change-policy'],
  ['POST /api/policy/:number/veto', 'veto-policy'],
  ['POST /session/account', 'own-sessions'],
  ['GET /api/people', 'read-people'],
  ['POST /api/invites', 'manage-people'],
  ['DELETE /api/invites/:id', 'manage-people'],
  ['POST /api/people/:id/confirm', 'manage-people'],
  ['POST /api/people/:id/grant', 'manage-people'],
  ['POST /api/grants/:id/confirm', 'confirm-roles'],
  ['POST /api/grants/:id/veto', 'veto-roles'],
  ['POST /api/people/:id/block', 'manage-people'],
  ['POST /api/people/:id/sign-out', 'manage-people'],
  ['POST /api/people/:id/email', 'manage-people'],
  ['GET /api/email', 'read-own-email'],
  ['PUT /api/email', 'own-email'],
  ['GET /api/passkeys', 'read-own-passkeys'],
  ['POST /api/passkeys', 'own-passkeys'],
  ['POST /api/passkeys/first', 'own-passkeys'],
  ['DELETE /api/passkeys/:id', 'own-passkeys'],
  ['GET /api/sessions', 'own-sessions'],
  ['DELETE /api/sessions/:id', 'own-sessions'],
]);
