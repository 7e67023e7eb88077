// Test support.
import type { ReviewedLine } from '#src/shared/contract/batchContract.ts';

/** A line about which a review found nothing, but for `change`. */
export function testReviewedLine(line: number, change: Partial<ReviewedLine> = {}): ReviewedLine {
  return {
    line,
    existing: null,
    of: [],
    batches: [],
    reference: null,
    refused_before: [],
    recipient_changed: false,
    ...change,
  };
}
