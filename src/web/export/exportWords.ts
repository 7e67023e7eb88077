import type { ListName } from '#src/shared/contract/contract.ts';
import type { Job } from '#src/shared/contract/jobsContract.ts';
import { counted, numberWords } from '#src/shared/text.ts';

export const EXPORTED_WORDS: Record<ListName, string> = {
  deposits: 'deposits',
  withdrawals: 'withdrawals',
  'ledger-entries': 'ledger entries',
};

export function rowsText(rows: number): string {
  return counted(rows, 'row', 'rows');
}

/** "3,100 rows/s"; null until there is enough to calculate it. */
export function rateWords({ rows, worked_ms: ms }: Job): string | null {
  return ms < 1_000 || rows === 0 ? null : `${numberWords(Math.round((rows / ms) * 1_000))} rows/s`;
}

/** Estimated from the part of the period that is covered. Rows are rarely spread evenly, so it is only "about". */
export function timeLeft({ covered, worked_ms: ms }: Job): string | null {
  if (covered === null || covered <= 0.01 || ms < 1_000) return null;
  const seconds = Math.ceil((ms / 1_000) * ((1 - covered) / covered));
  if (seconds < 1) return null;
  return seconds < 90 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`;
}

export function stoppedText({ rows }: Job): string {
  return rows === 0 ? 'Stopped before the first row' : `Stopped at row ${numberWords(rows)}`;
}
