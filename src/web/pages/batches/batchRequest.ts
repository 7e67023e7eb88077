import type { BatchPayment } from '#src/shared/batches/batchPayments.ts';
import type { ReviewedPayment } from '#src/shared/batches/unusual.ts';
import type { PaymentToSign } from '#src/shared/contract/approvalsContract.ts';
import { type BatchLine, type BatchRequest, lineKey, type ReviewedLine } from '#src/shared/contract/batchContract.ts';
import { withdrawalBody } from '#src/shared/operations/withdrawal.ts';
import type { BatchError, ReceivedBatch, ReceivedBatchReview } from '#src/web/api/batches.ts';
import { ApiError, outcomeUnknown } from '#src/web/api/errors.ts';

const NAME_MAX = 200;

/** A file, or pasted rows, which have no name. */
export interface BatchSource {
  name: string | null;
  text: string;
}

export function batchRequestLines(payments: readonly BatchPayment[]): BatchLine[] {
  return payments.map(lineOf);
}

function lineOf({ line, fields, recipient, reference }: BatchPayment): BatchLine {
  return { line, body: withdrawalBody(fields), recipient, reference };
}

/** `again`: why the same payments are made again; null if they are new. */
export function batchRequest(
  { name, text }: BatchSource,
  payments: readonly ReviewedPayment[],
  again: string | null,
): Omit<BatchRequest, 'not_after'> {
  return {
    lines: payments.map((payment) => ({
      ...lineOf(payment),
      second_send_of: [...payment.secondSendOf],
      earlier_lines: payment.earlierLines,
    })),
    file: { name: name && storableName(name), text },
    again,
  };
}

/** `id`: the batch's. */
export function paymentsToSign(id: string, { lines }: Pick<BatchRequest, 'lines'>): PaymentToSign[] {
  return lines.map(({ line, body, second_send_of: secondSendOf }) => ({
    key: lineKey(id, line),
    body,
    second_send_of: secondSendOf,
    batch: { id, line },
  }));
}

/** Cuts the name to what the server stores, without lone surrogates, which the cut itself may create. */
function storableName(name: string): string {
  return name.slice(0, NAME_MAX).replaceAll(/\0|\p{Surrogate}/gu, '');
}

/** Whether the server recorded these payments: an earlier request under the same id may have recorded others. */
export function isRecordOf({ lines }: ReceivedBatch, payments: readonly BatchPayment[]): boolean {
  const bodies = new Map(lines.map(({ line, body }) => [line, body]));
  return (
    bodies.size === payments.length && batchRequestLines(payments).every(({ line, body }) => bodies.get(line) === body)
  );
}

/** The review, updated with the findings of a refusal. `id`: the batch's. */
export function withRefusal(
  review: ReceivedBatchReview,
  { same, lines = [] }: BatchError['extras'],
  id: string,
): ReceivedBatchReview {
  const before = new Map(review.lines.map((line) => [line.line, line]));
  const newer = lines.map((line) => withEarlier(line, before.get(line.line)));
  const numbers = new Set(lines.map(({ line }) => line));
  const others = review.lines.filter(({ line }) => !numbers.has(line));
  return withoutOwn({ ...review, same: same ?? review.same, lines: [...others, ...newer] }, id);
}

/** Keeps what a refusal doesn't repeat: the provider's list, earlier batches, rejections and changed recipients. */
function withEarlier(line: ReviewedLine, before: ReviewedLine | undefined): ReviewedLine {
  if (before === undefined) return line;
  return {
    ...line,
    of: mergedById(line.of, before.of),
    batches: mergedById(line.batches, before.batches),
    refused_before: before.refused_before,
    recipient_changed: before.recipient_changed,
  };
}

function mergedById<T extends { id: string }>(newer: readonly T[], older: readonly T[]): T[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !ids.has(id))];
}

/** The review without this batch and its own lines, which a request with an unknown outcome may have recorded. */
export function withoutOwn(review: ReceivedBatchReview, id: string): ReceivedBatchReview {
  const notOwn = (key: string | null): string | null => (key !== null && isKeyOf(key, id) ? null : key);
  return {
    ...review,
    same: review.same?.id === id ? null : review.same,
    lines: review.lines.map((line) => ({
      ...line,
      existing: notOwn(line.existing),
      reference: notOwn(line.reference),
      of: line.of.filter((earlier) => !isKeyOf(earlier.id, id)),
      batches: line.batches.filter((batch) => batch.id !== id),
    })),
  };
}

function isKeyOf(key: string, id: string): boolean {
  return key.startsWith(`${id}.`);
}

const CODES_AFTER_LOOKUP = ['batch_faults', 'batch_again', 'look_alike', 'key_reused', 'too_late'];

/**
 * Whether a batch may be recorded under this id after a request failed. `wasUnknown`: that was unknown before. Then only a
 * response for which the server looked up this id settles it, and not an early refusal such as 403 or 429.
 */
export function mayBeRecorded(error: unknown, wasUnknown: boolean): boolean {
  if (!wasUnknown) return outcomeUnknown(error);
  return !(
    error instanceof ApiError &&
    !outcomeUnknown(error) &&
    CODES_AFTER_LOOKUP.some((code) => code === error.code)
  );
}
