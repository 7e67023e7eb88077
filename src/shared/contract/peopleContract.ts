import * as v from 'valibot';
import { isObject } from '#src/shared/answers.ts';
import { isStorable, revealHidden } from '#src/shared/text.ts';
import { PERMISSIONS } from '#src/shared/permissions.ts';
import { credentialJsonSchema, proofSchema } from './proofContract.ts';

// Sign-in by passkey, and the people of an account: /session/*, /api/people, /api/grants, /api/invites, /api/join, /api/passkeys,
// /api/sessions. Only with SIGN_IN=passkey or oidc. Errors are the contract's envelope (section 7). Times are Unix seconds by the
// database's clock.

const unix = v.number();
const id = v.pipe(v.string(), v.nonEmpty(), v.check(isStorable));

export const PERSON_NAME_MAX = 60;
/** The messages are for the person who types the name. */
export const personNameSchema = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('Enter a name.'),
  v.maxLength(PERSON_NAME_MAX, `This is longer than ${PERSON_NAME_MAX} characters.`),
  v.check(
    (name) => revealHidden(name) === name && !/\p{Cc}/u.test(name),
    'It contains an invisible character. Type it instead of pasting.',
  ),
);
const EMAIL_MAX = 254;
/** The check that browsers make, plus a dot in the domain: no comments, quotes, spaces or line breaks. */
const EMAIL =
  /^[a-z\d.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;
/** The messages are for the person who types the address. */
export const emailSchema = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(EMAIL_MAX, 'This is too long for an e-mail address.'),
  v.regex(EMAIL, 'Enter an address such as ada@company.example.'),
);
export const permissionsSchema = v.pipe(
  v.array(v.picklist(PERMISSIONS)),
  v.minLength(1),
  v.maxLength(4),
  v.transform((given) => PERMISSIONS.filter((permission) => given.includes(permission))),
);

/** Enough for a policy with many assets, and below the limit of 64,000 bytes for a request's body. */
const STATEMENT_MAX = 60_000;

/** POST /session/ticket: the request that a passkey will sign. `statement`: actStatement() of an act's request. */
export const ticketRequestSchema = v.variant('purpose', [
  v.strictObject({ purpose: v.literal('sign-in') }),
  /** `name`: only if the invite has none; browsers show it with the passkey. */
  v.strictObject({ purpose: v.literal('join'), token: id, name: v.optional(personNameSchema) }),
  /** A new passkey of the person who is signed in. */
  v.strictObject({ purpose: v.literal('register') }),
  v.strictObject({
    purpose: v.literal('act'),
    statement: v.pipe(v.string(), v.nonEmpty(), v.maxLength(STATEMENT_MAX)),
  }),
]);
export type TicketRequest = v.InferOutput<typeof ticketRequestSchema>;

/** The answer of POST /session/ticket: `options` for navigator.credentials.create() or get(), as JSON. */
export const ticketSchema = v.object({
  ticket: v.string(),
  /** Null for the sandbox's people, who have no passkey: the ticket is enough. */
  options: v.nullable(v.record(v.string(), v.unknown())),
  /** Only for `join`: shown to the person before the passkey is created. */
  invite: v.optional(
    v.object({
      /** Null if the person types it when they join. */
      name: v.nullable(v.string()),
      /** The inviter's name; null for the server's console. */
      invited_by: v.nullable(v.string()),
      permissions: v.array(v.string()),
      expires_at: unix,
      /** The name of another person who is signed in in this browser and has to sign out first. */
      signed_in: v.nullable(v.string()),
    }),
  ),
});
export type Ticket = v.InferOutput<typeof ticketSchema>;

/** POST /session/passkey. The answer is a session, as from GET /session. */
export const passkeySignInSchema = v.strictObject({ ticket: id, response: credentialJsonSchema });

/** POST /session/account: switches to another account of the person. The answer is a session, as from GET /session. */
export const switchAccountSchema = v.strictObject({ account: id });

/** POST /session/demo, only in the sandbox: one of the people on its sign-in page. The answer is a session. */
export const demoSignInSchema = v.strictObject({ person: id });

/** POST /api/join. `name`: only if the invite has none. */
export const joinSchema = v.strictObject({
  token: id,
  ticket: id,
  response: credentialJsonSchema,
  name: v.optional(personNameSchema),
});
/** `code`: six digits that an admin has to type; null if no confirmation is needed and the session has begun. */
export const joinedSchema = v.object({ code: v.nullable(v.string()) });

/**
 * POST /session/oidc, with SIGN_IN=oidc: the browser then goes to the answer's `url`. `next`: the path to return to.
 * `invite`: the invite to join with, and the person's name if the invite has none.
 */
export const oidcSignInSchema = v.strictObject({
  next: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
  invite: v.optional(v.strictObject({ token: id, name: v.optional(personNameSchema) })),
});
export type OidcSignInRequest = v.InferOutput<typeof oidcSignInSchema>;
export const oidcUrlSchema = v.object({ url: v.pipe(v.string(), v.url()) });

/**
 * - joined: an admin has to type the code.
 * - unknown: no person here has this identity; `id` is the provider's id of the person who signed in.
 * - refused: `message` says why, in one sentence.
 */
export const oidcResultSchema = v.variant('kind', [
  v.object({ kind: v.literal('joined'), code: v.string() }),
  v.object({ kind: v.literal('unknown'), id: v.string() }),
  v.object({ kind: v.literal('refused'), message: v.string() }),
]);
export type OidcResult = v.InferOutput<typeof oidcResultSchema>;
/** GET /session/oidc: the result of this browser's last sign-in at the provider. It can be read once. */
export const oidcResultsSchema = v.object({ result: v.nullable(oidcResultSchema) });

/** POST /api/invites. `person`: for a person who lost their passkeys, and who keeps name and permissions. */
export const inviteSchema = v.strictObject({
  name: v.optional(personNameSchema),
  permissions: v.optional(permissionsSchema),
  person: v.optional(id),
  proof: proofSchema,
});
/** The answer. `token` belongs into the link's fragment and is shown only once. */
export const invitedSchema = v.object({ person: v.string(), token: v.string(), expires_at: unix });
export type Invited = v.InferOutput<typeof invitedSchema>;

/** POST /api/people/:id/confirm, with the code that the person reads out to the admin. */
export const confirmSchema = v.strictObject({ code: v.pipe(v.string(), v.regex(/^\d{6}$/)), proof: proofSchema });
/** POST /api/people/:id/grant: replaces the person's permissions on this account. */
export const grantSchema = v.strictObject({ permissions: permissionsSchema, proof: proofSchema });
/**
 * POST /api/grants/:id/confirm, by a different admin than the one who gave the role, or by one of its `confirmers`.
 * POST /api/grants/:id/veto takes no body.
 */
export const grantConfirmSchema = v.strictObject({
  person: id,
  permission: v.picklist(PERMISSIONS),
  proof: proofSchema,
});
/** POST /api/people/:id/email: the address for this person's notices; null for none. */
export const personEmailSchema = v.strictObject({ email: v.nullable(emailSchema), proof: proofSchema });
/** PUT /api/email: the address for one's own notices; null for none. */
export const ownEmailSchema = v.strictObject({ email: v.nullable(emailSchema) });
/** GET /api/email. `is_sent`: whether this server sends e-mail. */
export const ownEmailAnswerSchema = v.object({ email: v.nullable(v.string()), is_sent: v.boolean() });
/** POST /api/passkeys: adds a passkey of one's own, created with `ticket`. `proof` is from an existing one. */
export const addPasskeySchema = v.strictObject({ ticket: id, response: credentialJsonSchema, proof: proofSchema });
/** POST /api/passkeys/first, with SIGN_IN=oidc, for a person who has none. The answer is that of POST /api/join. */
export const firstPasskeySchema = v.strictObject({ ticket: id, response: credentialJsonSchema });

/**
 * - invited: hasn't used the invite yet.
 * - joined: used the invite; an admin has to type the code.
 * - active: can sign in.
 * - blocked: can't sign in until an admin gives them permissions or invites them again.
 */
export const PERSON_STATES = ['invited', 'joined', 'active', 'blocked'] as const;
export type PersonState = (typeof PERSON_STATES)[number];

const namedSchema = v.object({ person: v.string(), name: v.string() });

/** A role that an admin gave and that doesn't count yet. */
export const waitingRoleSchema = v.object({
  id,
  permission: v.picklist(PERMISSIONS),
  given_by: v.nullable(namedSchema),
  given_at: unix,
  /** When it counts without confirmation; null if another admin has to confirm it. */
  counts_from: v.nullable(unix),
  /** Whether somebody was told who could refuse it, or nobody could. Until then it doesn't count, even after `counts_from`. */
  is_told: v.boolean(),
  /** Admins who can confirm it now. */
  confirmers: v.array(namedSchema),
});
export type WaitingRole = v.InferOutput<typeof waitingRoleSchema>;

export const personSchema = v.object({
  id,
  name: v.string(),
  state: v.picklist(PERSON_STATES),
  /** Whether they have a passkey for this domain, or an identity. Otherwise they need a new invite. */
  can_sign_in: v.boolean(),
  /**
   * Whether an admin has to type their code. That can be the case for an active person, too, who was invited again or added a
   * first passkey: they can still sign in as before.
   */
  waits_for_code: v.boolean(),
  /** If it waits for a code: the name of another person who was signed in in the browser in which they joined; else null. */
  joined_beside: v.optional(v.nullable(v.string()), null),
  permissions: v.array(v.picklist(PERMISSIONS)),
  /** Roles that were given but don't count yet. */
  waiting: v.array(waitingRoleSchema),
  /** The name of the person who invited them; null for the server's console. */
  invited_by: v.nullable(v.string()),
  created_at: unix,
  /** When their open invite expires; null if they have none. */
  invite_expires_at: v.nullable(unix),
  passkeys: v.number(),
  open_sessions: v.number(),
  last_seen_at: v.nullable(unix),
  /**
   * Whether they have or had roles on an account where the reader is no admin. Only an admin of all their accounts can change
   * how they sign in.
   */
  needs_other_admin: v.boolean(),
  /** The address for their notices; null if they have none, or the reader is no admin here. */
  email: v.nullable(v.string()),
});
export type Person = v.InferOutput<typeof personSchema>;
export const peopleSchema = v.object({
  data: v.array(personSchema),
  /** People of other accounts that the reader administers, who can be given roles on this one. */
  addable: v.array(v.object({ id, name: v.string() })),
});

/** GET /api/passkeys: the reader's own. */
export const passkeySchema = v.object({
  id,
  created_at: unix,
  last_used_at: v.nullable(unix),
  /** Whether an admin has to type its code before it can confirm anything. */
  waits_for_code: v.boolean(),
});
export const passkeysSchema = v.object({ data: v.array(passkeySchema) });

/** GET /api/sessions: the reader's own open sessions. */
export const sessionItemSchema = v.object({ id, created_at: unix, seen_at: unix, current: v.boolean() });
export const sessionItemsSchema = v.object({ data: v.array(sessionItemSchema) });

/** The text that a passkey signs for an act: method, path and body without `proof`. Sorts members, so their order is free. */
export function actStatement(method: string, path: string, body: Record<string, unknown>): string {
  const { proof: _, ...rest } = body;
  const sorted = (_name: string, value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
  return `${method} ${path}\n${JSON.stringify(rest, sorted)}`;
}

/**
 * Codes of this interface's own errors.
 * - invite_used, invite_ended, invite_expired, invite_unknown (404): the message says what to do.
 * - not_confirmed (403): joined, but no admin has typed the code yet.
 * - passkey_refused (403): wrong origin, unknown or ended passkey, expired ticket, no user verification.
 * - wrong_code (422): the message says how many tries are left.
 * - name_taken (409).
 * - identity_taken: another person signs in with this identity.
 * - passkey_needed (403): the act needs a passkey's signature, and the person has no passkey.
 * - has_passkey (409): the person has a passkey, which is needed to add another.
 * - policy_changed (409): there is a newer version than the one that the admin saw.
 * - policy_same (409): the proposal equals the policy in force.
 * - policy_unmeetable (422): too few people could approve.
 * - recipient_changed (409): it was renamed or removed from the team's list. recipient_confirmed (409): it already is.
 * - policy_not_pending (409): the policy is in force, or was stopped or replaced.
 * - sign_in_again (403): approving requires a sign-in within the last four hours.
 * - role_not_waiting (409): the role counts, or was refused or taken back; or the id is of another person or another role.
 * - provider_away (503): the identity provider doesn't answer.
 * - last_passkey (409): the last passkey can't be removed.
 * - not_found (404), invalid_request_error (400), too_many (429), not_permitted (403), read_only, set_back (403), not_ready (503).
 */
export const PEOPLE_ERROR_CODES = [
  'invite_used',
  'invite_ended',
  'invite_expired',
  'invite_unknown',
  'not_confirmed',
  'passkey_refused',
  'wrong_code',
  'name_taken',
  'last_passkey',
  'identity_taken',
  'passkey_needed',
  'has_passkey',
  'sign_in_again',
  'provider_away',
  'policy_changed',
  'policy_same',
  'policy_unmeetable',
  'policy_not_pending',
  'role_not_waiting',
  'recipient_changed',
  'recipient_confirmed',
  'not_found',
  'invalid_request_error',
  'too_many',
  'not_permitted',
  'read_only',
  'set_back',
  'not_ready',
] as const;
export type PeopleErrorCode = (typeof PEOPLE_ERROR_CODES)[number];
