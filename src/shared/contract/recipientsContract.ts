import * as v from 'valibot';
import { isStorable } from '#src/shared/text.ts';
import { proofSchema } from './proofContract.ts';

// Which recipients are confirmed or blocked, where people sign in as themselves. Their names and addresses are the team's
// list, /api/team/recipients. Errors are those of peopleContract.ts; times are Unix seconds by the database's clock.

export const RECIPIENTS_PATH = '/api/recipients';
export const CONFIRM_MAX = 500;

const text = (most: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(most), v.check(isStorable));

/** A recipient as the person saw it: the team's id of its address, and its name. */
const seenRecipientSchema = v.strictObject({ id: text(500), name: text(500) });
export type SeenRecipient = v.InferOutput<typeof seenRecipientSchema>;

/** POST /api/recipients/confirm, signed with a passkey: all of them, or none. */
export const confirmRecipientsSchema = v.strictObject({
  recipients: v.pipe(v.array(seenRecipientSchema), v.minLength(1), v.maxLength(CONFIRM_MAX)),
  proof: proofSchema,
});

/** POST /api/recipients/block. */
export const blockRecipientSchema = v.strictObject({
  id: text(500),
  reason: v.pipe(text(2_000), v.trim(), v.nonEmpty()),
});

/**
 * unconfirmed: nobody has confirmed this name at this address; waiting: confirmed, and counts from `counts_from` on;
 * blocked: nothing is sent to it.
 */
export const RECIPIENT_STATES = ['unconfirmed', 'waiting', 'confirmed', 'blocked'] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

const personSchema = v.nullable(v.object({ person: v.string(), name: v.string() }));

export const recipientControlSchema = v.object({
  /** The team's id of its address. */
  id: v.string(),
  name: v.string(),
  state: v.picklist(RECIPIENT_STATES),
  /** Who gave it this name; null: nobody who is known. */
  named_by: personSchema,
  named_at: v.number(),
  /** Who confirmed or blocked it; null: nobody. */
  decided_by: personSchema,
  decided_at: v.nullable(v.number()),
  counts_from: v.nullable(v.number()),
  /** Why it is blocked; null otherwise. */
  reason: v.nullable(v.string()),
  /** It was confirmed before under another name, or its name with another address. */
  is_changed: v.boolean(),
  /** Why the reader can't confirm it; null if they can, or if it is confirmed. */
  refusal: v.nullable(v.string()),
});
export type RecipientControl = v.InferOutput<typeof recipientControlSchema>;

/** GET /api/recipients: everybody in the team's list. */
export const recipientControlsSchema = v.object({ data: v.array(recipientControlSchema) });

/** GET /api/recipients/:id: every decision about this address and about its name, newest first. */
export const recipientDecisionSchema = v.object({
  id: v.string(),
  name: v.string(),
  chain: v.string(),
  address: v.string(),
  is_blocked: v.boolean(),
  reason: v.nullable(v.string()),
  named_by: personSchema,
  decided_by: personSchema,
  decided_at: v.number(),
  /** Until when it stood; null: it stands. */
  ended_at: v.nullable(v.number()),
});
export type RecipientDecision = v.InferOutput<typeof recipientDecisionSchema>;

export const recipientDecisionsSchema = v.object({ data: v.array(recipientDecisionSchema) });
