import * as v from 'valibot';

// The activity log of an account: GET /api/activity, newest first. Errors are the contract's envelope (section 7).

/** The kinds that the page filters by. */
export const ACTIVITY_GROUPS = ['payments', 'people', 'sign-ins', 'notes', 'exports'] as const;
export type ActivityGroup = (typeof ACTIVITY_GROUPS)[number];

interface ActRule {
  group: ActivityGroup;
  /** The type of thing that `subject` identifies. */
  subject: 'operation' | 'person' | null;
}

/**
 * Acts that are logged in the journal's transaction, with their group and subject. Their lines form one hash chain: changing,
 * removing or inserting a line breaks it.
 */
export const ACTS = {
  'operation.recorded': { group: 'payments', subject: 'operation' },
  'operation.sent': { group: 'payments', subject: 'operation' },
  'operation.discarded': { group: 'payments', subject: 'operation' },
  'operation.approved': { group: 'payments', subject: 'operation' },
  'operation.rejected': { group: 'payments', subject: 'operation' },
  'operation.stopped': { group: 'payments', subject: 'operation' },
  'operation.lapsed': { group: 'payments', subject: 'operation' },
  'operation.closed': { group: 'payments', subject: 'operation' },
  'operation.confirmed-not-sent': { group: 'payments', subject: 'operation' },
  'batch.recorded': { group: 'payments', subject: null },
  'batch.approved': { group: 'payments', subject: null },
  'batch.rejected': { group: 'payments', subject: null },
  'batch.lapsed': { group: 'payments', subject: null },
  'batch.started': { group: 'payments', subject: null },
  'batch.stopped': { group: 'payments', subject: null },
  'batch.withdrawn': { group: 'payments', subject: null },
  'journal.set-back': { group: 'payments', subject: null },
  'journal.moved': { group: 'payments', subject: null },
  'journal.set-back-ended': { group: 'payments', subject: null },
  'account.key-added': { group: 'people', subject: null },
  'activity.sealed': { group: 'people', subject: null },
  'people.resealed': { group: 'people', subject: null },
  'sign-in.changed': { group: 'people', subject: null },
  'person.invited': { group: 'people', subject: 'person' },
  'person.invited-again': { group: 'people', subject: 'person' },
  'person.invite-ended': { group: 'people', subject: 'person' },
  'person.joined': { group: 'people', subject: 'person' },
  'person.confirmed': { group: 'people', subject: 'person' },
  'person.wrong-code': { group: 'people', subject: 'person' },
  'person.changed': { group: 'people', subject: 'person' },
  'person.role-confirmed': { group: 'people', subject: 'person' },
  'person.role-refused': { group: 'people', subject: 'person' },
  'person.blocked': { group: 'people', subject: 'person' },
  'person.signed-out': { group: 'people', subject: 'person' },
  'person.email-changed': { group: 'people', subject: 'person' },
  'policy.proposed': { group: 'people', subject: null },
  'policy.confirmed': { group: 'people', subject: null },
  'policy.vetoed': { group: 'people', subject: null },
  'recipient.confirmed': { group: 'people', subject: null },
  'recipient.blocked': { group: 'people', subject: null },
  'passkey.added': { group: 'people', subject: 'person' },
  'passkey.removed': { group: 'people', subject: 'person' },
  'session.ended': { group: 'people', subject: 'person' },
  'notice.test-sent': { group: 'people', subject: null },
  'notice.sent-again': { group: 'people', subject: null },
} as const satisfies Record<string, ActRule>;
export type ActKind = keyof typeof ACTS;
/** The kinds whose subject is a person's id. */
export type PersonActKind = {
  [Kind in ActKind]: (typeof ACTS)[Kind]['subject'] extends 'person' ? Kind : never;
}[ActKind];

/** Short texts for the page: amounts as the request's text, names, roles, reasons. No secrets. */
const factsSchema = v.record(v.string(), v.string());
export type ActivityFacts = v.InferOutput<typeof factsSchema>;

export const activitySchema = v.object({
  id: v.string(),
  /** Unix seconds by the database's clock. */
  at: v.number(),
  group: v.string(),
  /** An ActKind, `signed-in`, `account-switched`, `signed-out`, `exported`, `exported-partly`, or `<collection>.added`, `.changed`, `.removed` of the team's data. */
  kind: v.string(),
  /** The actor's name at the time; null for the server, its console, and people who gave no name. */
  who: v.nullable(v.string()),
  /** The person's id; null if `who` is just a name that somebody typed. */
  person: v.nullable(v.string()),
  /** An operation's key, a person's id, or an item's id. */
  subject: v.nullable(v.string()),
  /** The current name of the person, if the subject is a person. */
  subject_name: v.nullable(v.string()),
  facts: factsSchema,
});
export type Activity = v.InferOutput<typeof activitySchema>;

export const activityPageSchema = v.object({
  data: v.array(activitySchema),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
});

/** Query of GET /api/activity. Times are Unix seconds. */
export interface ActivityFilters {
  group?: ActivityGroup;
  who?: string;
  created_after?: number;
  created_before?: number;
}

export const ACTIVITY_LIMIT_MAX = 100;
