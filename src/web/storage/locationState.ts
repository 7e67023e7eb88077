import * as v from 'valibot';
import { KINDS } from '#src/shared/operations/kind.ts';
import { isAmount } from '#src/shared/amount.ts';
import { textOrNull } from '#src/shared/text.ts';

// The state that one page passes to the next through the router. The browser's history may return state that another
// version wrote, so an invalid member counts as absent.

function member<const Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(schema), undefined);
}

const texts = v.record(v.string(), v.string());

const stateSchema = v.fallback(
  v.object({
    /** Initial values of a form, by field. */
    prefill: member(texts),
    /** The rows of a new batch, as a file has them. */
    rows: member(v.string()),
    /** Why the payment that a form is prefilled from wasn't sent: "Rejected by Bo", and the person's own words. */
    declined: member(v.object({ how: v.string(), words: v.string() })),
    /** The name of initial values that are kept in memory and lost on a reload. */
    draft: member(v.string()),
    /** The form of this kind sent nothing and led here, because this operation already pays it. */
    instead: member(v.picklist(KINDS)),
    /** The review that this history entry shows. */
    review: member(v.string()),
    /** An address to save as a recipient. */
    add: member(v.object({ chain: v.string(), address: v.string() })),
    /** The form that led here has a saved draft. */
    back: member(v.literal(true)),
    /** Back to the form that has a saved draft. */
    resume: member(v.literal(true)),
    /** The name of the page that a session ended on. */
    endedOn: member(v.string()),
    /** The customer's mail that was searched for, and the chain and amount it names. */
    mail: member(
      v.object({
        text: v.string(),
        chain: v.optional(v.string()),
        amount: v.optional(v.object({ amount: v.string(), asset: v.nullable(v.string()) })),
      }),
    ),
    /** Reached by next or previous from another detail. */
    stepped: member(v.literal(true)),
  }),
  {},
);
export type LocationState = v.InferInput<typeof stateSchema>;

export function readLocationState(state: unknown): LocationState {
  return v.parse(stateSchema, state);
}

export function locationState(state: LocationState): LocationState {
  return state;
}

/** Prefills a form to pay the same withdrawal again; null if its amount is invalid. */
export function paidAgain(withdrawal: Readonly<Record<string, unknown>>): LocationState | null {
  if (!isAmount(withdrawal['amount'])) return null;
  const fields = ['asset', 'chain', 'amount', 'address'].map((name) => [name, textOrNull(withdrawal[name]) ?? '']);
  return { prefill: Object.fromEntries(fields) };
}
