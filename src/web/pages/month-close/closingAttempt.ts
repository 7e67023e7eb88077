import type { MonthJob, ShownLate, ShownMonth } from '#src/shared/contract/monthJobContract.ts';
import { outcomeUnknown } from '#src/web/api/errors.ts';

/** A period that was checked and can be closed. */
export interface Closable extends Pick<MonthJob, 'moved'> {
  /** The job that read the period, and the hash of what it read. */
  id: string;
  sha256: string;
  month: ShownMonth;
  late: ShownLate;
  /** The outcome of an attempt is unknown: the period may already be closed, with the rates of that attempt. */
  mayBeClosed: boolean;
}

/** Null unless everything before the period was checked. */
export function newClosable({ id, sha256, month, late, moved }: MonthJob): Closable | null {
  if (sha256 === null || month === null || late === null) return null;
  return { id, sha256, month, late, moved, mayBeClosed: false };
}

export function afterFailure(attempt: Closable, error: unknown): Closable {
  return { ...attempt, mayBeClosed: attempt.mayBeClosed || outcomeUnknown(error) };
}
