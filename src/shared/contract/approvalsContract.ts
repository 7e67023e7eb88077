import * as v from 'valibot';
import { isStorable } from '#src/shared/text.ts';
import { BATCH_LINES_MAX } from './batchContract.ts';

// Signatures over payments, where people sign in as themselves. Errors are those of peopleContract.ts.

const text = (most: number) => v.pipe(v.string(), v.maxLength(most), v.check(isStorable));

/** As PUT /api/operations/:key or PUT /api/batches/:id then records it. */
const paymentToSignSchema = v.strictObject({
  key: v.pipe(text(255), v.nonEmpty()),
  body: text(100_000),
  second_send_of: v.pipe(v.array(text(255)), v.maxLength(600)),
  /** Of a line of a batch. */
  batch: v.optional(v.strictObject({ id: text(255), line: v.number() })),
});
export type PaymentToSign = v.InferOutput<typeof paymentToSignSchema>;

/** POST /api/approvals/ticket: what a passkey signs, one set of payments. The answer is that of POST /session/ticket. */
export const signTicketRequestSchema = v.strictObject({
  decision: v.literal('send'),
  payments: v.pipe(v.array(paymentToSignSchema), v.minLength(1), v.maxLength(BATCH_LINES_MAX)),
});
export type SignTicketRequest = v.InferOutput<typeof signTicketRequestSchema>;
