import type { BatchLineView } from '#src/shared/contract/batchContract.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { batchFileText } from './batchFile.ts';

/** Lines that paid nothing according to the provider itself, so they can be sent again. */
export function failedLines<T extends Pick<BatchLineView, 'state' | 'status' | 'withdrawal'>>(
  lines: readonly T[],
): T[] {
  return lines.filter((line) => isAcceptedAndFailed(line) || (line.state === 'refused' && line.withdrawal === null));
}

/** The provider accepted it, so its reference counts as used. */
function isAcceptedAndFailed({ state, status }: Pick<BatchLineView, 'state' | 'status'>): boolean {
  return state === 'succeeded' && status !== null && toneOf(status) === 'alarm';
}

/** How many references failedLinesFile() leaves out. */
export function usedReferences(lines: readonly BatchLineView[]): number {
  return lines.filter((line) => isAcceptedAndFailed(line) && line.reference !== null).length;
}

/** The file of a new batch with these payments, without the references that count as used. */
export function failedLinesFile(lines: readonly BatchLineView[]): string {
  return batchFileText(
    failedLines(lines).flatMap((line) => {
      const sent = readWithdrawalBody(line.body);
      const reference = isAcceptedAndFailed(line) ? '' : (line.reference ?? '');
      return sent === null ? [] : [{ ...sent, recipient: line.recipient ?? '', reference }];
    }),
  );
}
