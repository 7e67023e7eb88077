import * as v from 'valibot';
import { isStorable } from '#src/shared/text.ts';

/** The result of a browser's credential.toJSON(), unchecked. */
export const credentialJsonSchema = v.record(v.string(), v.unknown());

/** A passkey's signature over an act or over payments, in the body of the request. */
export const proofSchema = v.strictObject({
  ticket: v.pipe(v.string(), v.nonEmpty(), v.check(isStorable)),
  response: credentialJsonSchema,
});
export type Proof = v.InferOutput<typeof proofSchema>;
