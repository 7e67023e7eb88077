import * as v from 'valibot';
import { isAmount } from '#src/shared/amount.ts';
import { textOf } from '#src/shared/text.ts';

// What one page hands over to the next in the router's state. The browser's history brings it back, perhaps as another
// version wrote it: a member that is not what it should be counts as absent.

function member<const Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(schema), undefined);
}

const texts = v.record(v.string(), v.string());

const stateSchema = v.fallback(
  v.object({
    /** What a new form starts with, by field. */
    prefill: member(texts),
    /** The name of such values that this page's memory keeps. */
    draft: member(v.string()),
    /** A form led here instead of sending: this operation holds the place. */
    instead: member(v.literal(true)),
    /** Which review this entry of the history is. */
    review: member(v.string()),
    /** An address to be named. */
    add: member(v.object({ chain: v.string(), address: v.string() })),
    /** A form of which a draft is kept led here. */
    back: member(v.literal(true)),
    /** The name of the page that a session ended on. */
    endedOn: member(v.string()),
    /** The detail was reached from the one beside it. */
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

/** For a form that pays what this withdrawal was to pay; null where its amount is none. */
export function paidAgain(withdrawal: Readonly<Record<string, unknown>>): LocationState | null {
  if (!isAmount(withdrawal['amount'])) return null;
  const fields = ['asset', 'chain', 'amount', 'address'].map((name) => [name, textOf(withdrawal[name]) ?? '']);
  return { prefill: Object.fromEntries(fields) };
}
