import * as v from 'valibot';

// What people did on an account: GET /api/activity, newest first. Errors are the contract's envelope (section 7).

/** Where an entry is stored, and its group on the page. */
export const ACTIVITY_GROUPS = ['payments', 'people', 'sign-ins', 'notes'] as const;
export type ActivityGroup = (typeof ACTIVITY_GROUPS)[number];

/**
 * Acts that are written in the journal's transaction, with their group. The lines of all of them are one chain: a line that
 * is changed, removed or added later breaks it.
 */
export const ACTS = {
  'operation.recorded': 'payments',
  'operation.sent': 'payments',
  'operation.discarded': 'payments',
  'operation.closed': 'payments',
  'operation.confirmed-not-sent': 'payments',
  'journal.set-back': 'payments',
  'journal.set-back-ended': 'payments',
  'account.key-added': 'people',
  'sign-in.changed': 'people',
  'person.invited': 'people',
  'person.invited-again': 'people',
  'person.invite-ended': 'people',
  'person.joined': 'people',
  'person.confirmed': 'people',
  'person.wrong-code': 'people',
  'person.changed': 'people',
  'person.blocked': 'people',
  'person.signed-out': 'people',
  'passkey.added': 'people',
  'passkey.removed': 'people',
  'session.ended': 'people',
} as const satisfies Record<string, ActivityGroup>;
export type ActKind = keyof typeof ACTS;

/** Short texts for the page: amounts as the request's text, names, roles, reasons. No secrets. */
const factsSchema = v.record(v.string(), v.string());
export type ActivityFacts = v.InferOutput<typeof factsSchema>;

export const activitySchema = v.object({
  id: v.string(),
  /** Unix seconds by the database's clock. */
  at: v.number(),
  group: v.string(),
  /** An ActKind, `signed-in`, `signed-out`, or `<collection>.added`, `.changed`, `.removed` of the team's data. */
  kind: v.string(),
  /** Whose act it was, by the name of that time; null: the server, its console, or nobody gave a name. */
  who: v.nullable(v.string()),
  /** The person's id; null where `who` is only what somebody typed. */
  person: v.nullable(v.string()),
  /** An operation's key, a person's id, or an item's id. */
  subject: v.nullable(v.string()),
  /** The name that the person has now, where the subject is one. */
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
