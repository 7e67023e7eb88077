import * as v from 'valibot';
import { isStorable } from '#src/shared/text.ts';
import { proofSchema } from './proofContract.ts';

// Which recipients are confirmed or blocked, in people mode. Their names and addresses are in the team's list,
// /api/team/recipients. Errors are those of peopleContract.ts. Times are Unix seconds by the database's clock.

export const RECIPIENTS_PATH = '/api/recipients';
export const CONFIRM_MAX = 500;

const text = (most: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(most), v.check(isStorable));

/** A recipient as the person saw it: its id in the team's list, and its name. */
const seenRecipientSchema = v.strictObject({ id: text(500), name: text(500) });
export type SeenRecipient = v.InferOutput<typeof seenRecipientSchema>;

/** POST /api/recipients/confirm, signed with a passkey. Confirms all of them or none. */
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
 * unconfirmed: this name and address haven't been confirmed together; waiting: confirmed, but only counts from `counts_from`
 * on; blocked: nothing is sent to it.
 */
export const RECIPIENT_STATES = ['unconfirmed', 'waiting', 'confirmed', 'blocked'] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

const personSchema = v.nullable(v.object({ person: v.string(), name: v.string() }));

export const recipientControlSchema = v.object({
  /** Its id in the team's list. */
  id: v.string(),
  name: v.string(),
  state: v.picklist(RECIPIENT_STATES),
  /** The person who gave it this name; null if unknown. */
  named_by: personSchema,
  named_at: v.number(),
  /** The person who confirmed or blocked it; null if nobody has. */
  decided_by: personSchema,
  decided_at: v.nullable(v.number()),
  counts_from: v.nullable(v.number()),
  /** Why it is blocked; null otherwise. */
  reason: v.nullable(v.string()),
  /** Whether its address was confirmed before under another name, or its name with another address. */
  is_changed: v.boolean(),
  /** Why the reader, who may confirm others, can't confirm this recipient; null otherwise. */
  refusal: v.nullable(v.string()),
});
export type RecipientControl = v.InferOutput<typeof recipientControlSchema>;

/** GET /api/recipients: all recipients in the team's list. */
export const recipientControlsSchema = v.object({ data: v.array(recipientControlSchema) });

/** GET /api/recipients/:id: decisions about this address, and about others with its name, newest first. */
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
  /** When a later decision replaced it; null if it is current. */
  ended_at: v.nullable(v.number()),
});
export type RecipientDecision = v.InferOutput<typeof recipientDecisionSchema>;

export const recipientDecisionsSchema = v.object({ data: v.array(recipientDecisionSchema) });
