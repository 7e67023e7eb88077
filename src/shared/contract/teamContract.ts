import * as v from 'valibot';
import { authorEntries } from '#src/shared/author.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { closedPeriodId, closedPeriodSchema, count } from './statementContract.ts';
import { isStorable } from '#src/shared/text.ts';
import { isPositive } from '#src/shared/amount.ts';
import { isDay, startsOn } from '#src/shared/due/dueDates.ts';
import { assetRule, chainRule, recipientNameRule, ruledName } from '#src/shared/fieldRules.ts';

// Data shared by the people of one account: /api/team/:collection and /api/team/:collection/:id.
// Errors are the contract's envelope (section 7), with the members named below next to `error`.

export const TEAM_PATH = '/api/team';

/** Maximum length of one item's JSON. */
export const ITEM_BYTES_MAX = 1_000_000;
/** Maximum items per collection and account. */
export const ITEMS_MAX = 10_000;
/** Maximum items in one POST. */
export const ADD_MAX = 500;
const ID_LENGTH_MAX = 500;

const text = (longest: number) => v.pipe(v.string(), v.trim(), v.maxLength(longest));
const nonEmptyText = (longest: number) => v.pipe(text(longest), v.nonEmpty());
const optionalText = (longest: number) => v.optional(text(longest), '');
const unix = v.number();
const word = v.nullable(v.string());

const addressText = v.pipe(v.string(), v.regex(/^\S{1,255}$/u));
const day = v.pipe(v.string(), v.check(isDay, 'Must be a day, such as 2026-11-30.'));

const recipientSchema = v.strictObject({
  name: ruledName(recipientNameRule),
  chain: ruledName(chainRule),
  address: addressText,
  /** The asset usually sent to it; empty if none. */
  asset: optionalText(100),
  reference: optionalText(200),
  note: optionalText(2_000),
});
export type Recipient = v.InferOutput<typeof recipientSchema>;

const viewSchema = v.strictObject({
  name: nonEmptyText(60),
  /** Path of the list, such as "/deposits". */
  path: v.pipe(v.string(), v.regex(/^\/[a-z-]{1,60}$/)),
  /** The URL's search without "?". */
  search: v.pipe(v.string(), v.maxLength(2_000)),
});
export type SavedView = v.InferOutput<typeof viewSchema>;

const subject = {
  kind: v.picklist(['deposit', 'withdrawal', 'operation']),
  /** The service's id, or the operation's key. */
  id: nonEmptyText(255),
};
const subjectSchema = v.object(subject);
export type Subject = v.InferOutput<typeof subjectSchema>;

/**
 * `taken`: a colleague is working on it. `handled`: done, so Home no longer lists it. `expected`: a withdrawal that was sent
 * elsewhere; if it fails, Home lists it again.
 */
const markSchema = v.strictObject({ ...subject, mark: v.picklist(['taken', 'handled', 'expected']) });
export type Mark = v.InferOutput<typeof markSchema>;

const noteSchema = v.strictObject({
  ...subject,
  reference: text(200),
  note: text(4_000),
  /** Support case: what the customer reported, and a link to the case. */
  customer: v.optional(text(4_000)),
  ticket: v.optional(text(200)),
});
export type PaymentNote = v.InferOutput<typeof noteSchema>;

const settingSchema = v.strictObject({
  name: v.picklist(['stuck-after']),
  /** Hours after which a payment counts as stuck if usual durations are unknown. */
  hours: v.pipe(count, v.minValue(1), v.maxValue(720)),
});

const labelSchema = v.strictObject({ label: text(200) });

/** The due date of a payment or batch that waits for approval. It is information only: it isn't sent or signed. */
const payBySchema = v.strictObject({ date: day });

const repeats = v.pipe(count, v.minValue(1), v.maxValue(60));

/** A payment that a person prepares repeatedly. The server never sends it on its own. */
const standingPaymentSchema = v.pipe(
  v.strictObject({
    name: ruledName(recipientNameRule),
    chain: ruledName(chainRule),
    address: addressText,
    asset: ruledName(assetRule),
    amount: v.pipe(
      v.string(),
      v.check((text) => isPositive(text), 'Must be a decimal number above zero.'),
    ),
    reference: optionalText(200),
    first: day,
    rhythm: v.variant('unit', [
      v.strictObject({ unit: v.literal('week'), count: repeats }),
      v.strictObject({
        unit: v.literal('month'),
        count: repeats,
        day: v.pipe(count, v.minValue(1), v.maxValue(31)),
      }),
    ]),
    /** The last day for which a person prepared the payment or skipped it; null before the first. */
    handled_through: v.nullable(day),
  }),
  v.check((schedule) => startsOn(schedule), 'first: must be a day of the rhythm.'),
);

export const COLLECTIONS = {
  recipients: collectionOf(recipientSchema, recipientId),
  views: collectionOf(viewSchema, viewId),
  marks: collectionOf(markSchema, subjectId),
  notes: collectionOf(noteSchema, subjectId),
  settings: collectionOf(settingSchema, ({ name }) => name),
  'closed-periods': collectionOf(closedPeriodSchema, closedPeriodId),
  /** Labels of deposit addresses created here, by the operation's key; the addresses come from the journal. */
  'deposit-addresses': collectionOf(labelSchema, null),
  /** By the operation's key or the batch's id. */
  'pay-by': collectionOf(payBySchema, null),
  'standing-payments': collectionOf(standingPaymentSchema, null),
};
export type Collection = keyof typeof COLLECTIONS;
export type TeamValue<C extends Collection> = v.InferOutput<(typeof COLLECTIONS)[C]['value']>;

function collectionOf<S extends v.GenericSchema>(value: S, idOf: ((value: v.InferOutput<S>) => string) | null) {
  return {
    value,
    /** The value as stored and its id (null if free), or why it isn't valid for this collection. */
    check(input: unknown): { value: v.InferOutput<S>; id: string | null } | { why: string } {
      const parsed = v.safeParse(value, input);
      if (parsed.success) {
        const id = idOf === null ? null : idOf(parsed.output);
        if (id !== null && !isItemId(id))
          return { why: 'Its id has a character that cannot be stored, or is too long.' };
        return { value: parsed.output, id };
      }
      const [issue] = parsed.issues;
      const at = v.getDotPath(issue);
      return { why: at === null ? issue.message : `${at}: ${issue.message}` };
    },
  };
}

/** Whether the text can be stored as an item id: not too long, no control characters, no lone surrogates. */
export function isItemId(id: string): boolean {
  return id.length > 0 && id.length <= ID_LENGTH_MAX && !/\p{Cc}/u.test(id) && isStorable(id);
}

/** Equal for all spellings of a recipient's address, so that the recipient is listed once. */
export function recipientId(recipient: Pick<Recipient, 'chain' | 'address'>): string {
  return addressKey(recipient);
}

export function viewId({ path, name }: Pick<SavedView, 'path' | 'name'>): string {
  return `${path} ${name}`;
}

export function subjectId({ kind, id }: Subject): string {
  return `${kind}:${id}`;
}

/** The subjectId of everything with one of these marks. */
export function subjectsMarked(
  marks: readonly { id: string; value: Mark }[],
  ...wanted: readonly Mark['mark'][]
): ReadonlySet<string> {
  return new Set(marks.filter(({ value }) => wanted.includes(value.mark)).map(({ id }) => id));
}

const entries = {
  id: v.string(),
  /** From 1. A change names the revision that the person saw, or 0 if the item doesn't exist. */
  revision: count,
  /** Author of this revision: their name, and their id unless the name was only typed. */
  ...authorEntries,
  /** Unix seconds by the database's clock. */
  created_at: unix,
  updated_at: unix,
  deleted: v.boolean(),
};

const bareItemSchema = v.object(entries);
export type TeamItem<T> = v.InferOutput<typeof bareItemSchema> & { value: T };

export function itemSchema<S extends v.GenericSchema>(value: S) {
  return v.object({ ...entries, value });
}

/** An item whose value another version of this app may have written. */
export const anyItemSchema = itemSchema(v.unknown());

/**
 * GET /api/team/:collection: the list envelope (contract 2.4), in the order of change. `?id=`: only that item, if it exists.
 * `?updated_after=<position>`: only items changed since, including removed ones.
 */
export const teamListSchema = v.object({
  object: v.literal('list'),
  data: v.array(v.unknown()),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
  /** The account's position; send the first page's as updated_after. */
  position: v.string(),
  /** Whether this is the whole list, over all its pages; false if it contains only the changes since updated_after. */
  complete: v.boolean(),
});

/** PUT /api/team/:collection/:id. */
export const putSchema = v.object({ value: v.unknown(), revision: count });

/** POST /api/team/:collection: adds items that don't exist yet, and returns a list of those it added. */
export const addSchema = v.object({ values: v.pipe(v.array(v.unknown()), v.maxLength(ADD_MAX)) });

/** An item of GET /api/team/deposit-addresses: one per successful request for an address, newest first. */
export const depositAddressSchema = v.object({
  /** The operation's key; its label is at /api/team/deposit-addresses/:id. */
  id: v.string(),
  asset: v.string(),
  chain: v.string(),
  /** Null if the response has none, or several. */
  address: word,
  /** Fields that a payment to the address needs, such as a memo or a tag. */
  along: v.array(v.object({ name: v.string(), value: v.string() })),
  ...authorEntries,
  /** Unix seconds by the service's clock. */
  at: unix,
  label: v.string(),
  /** The label's revision; 0 if there is no label. */
  revision: count,
  labelled_by: word,
  labelled_by_person: authorEntries.person,
  labelled_at: v.nullable(unix),
});
export type DepositAddress = v.InferOutput<typeof depositAddressSchema>;

/**
 * Codes of this interface's own errors.
 * - moved_on (409): the item changed since the person saw it; with the current `item`.
 * - not_found (404): no such item, collection or path.
 * - too_many (429): more changes per minute than an account may make; Retry-After says when to retry.
 * - invalid_request_error (400, 422), too_large (413), full (422), method_not_allowed (405).
 * - read_only, key_refused, set_back, not_permitted (403).
 * - not_ready (503): unknown whether it was saved. Repeating the same request is safe: it is saved once.
 */
export type TeamErrorCode =
  | 'moved_on'
  | 'not_found'
  | 'invalid_request_error'
  | 'too_large'
  | 'full'
  | 'too_many'
  | 'read_only'
  | 'set_back'
  | 'key_refused'
  | 'not_permitted'
  | 'method_not_allowed'
  | 'not_ready';

export const teamErrorExtrasSchema = v.object({ item: v.optional(anyItemSchema) });
