import type { Month } from './readMonth.ts';
import type { Checked } from './reportedRows.ts';
import type { RateFile } from './statement.ts';
import type { TeamRecords } from './teamRecords.ts';
import { outcomeUnknown } from '#src/web/api/errors.ts';
import { randomName } from '#src/shared/operations/random.ts';

/** A period that was checked and can be closed. */
export interface Closable {
  month: Month;
  checked: Checked;
  records: TeamRecords;
  /** Identifies the closing and its parts on the server; a retry uses the same one. */
  closing: string;
  /** The rates of the last attempt; undefined before the first. */
  sentRates?: RateFile | null;
  /** An attempt had no clear outcome: the period may be closed already, with those rates. */
  mayBeClosed: boolean;
}

export function newClosable(parts: Pick<Closable, 'month' | 'checked' | 'records'>): Closable {
  return { ...parts, closing: newClosing(), mayBeClosed: false };
}

function newClosing(): string {
  return randomName('closing_');
}

/** Other rates give other bytes, which the server refuses under the same ID. */
export function nextAttempt(ready: Closable, rates: RateFile | null): Closable {
  const hasOtherRates = ready.sentRates !== undefined && ready.sentRates !== rates;
  return { ...ready, sentRates: rates, closing: hasOtherRates ? newClosing() : ready.closing };
}

export function afterFailure(attempt: Closable, error: unknown): Closable {
  return { ...attempt, mayBeClosed: attempt.mayBeClosed || outcomeUnknown(error) };
}
