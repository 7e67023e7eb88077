import type { Decided } from '#src/shared/contract/approvalsContract.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { areOf, counted } from '#src/shared/text.ts';

type Decision = Decided['data'][number];

/** The results of payments that were approved together. */
export function decisionSummary(decisions: readonly Decision[]): { text: string; problems: readonly Decision[] } {
  const fine = decisions.filter(({ recorded, problem }) => recorded && problem === null);
  const waiting = fine.filter(({ view }) => view !== null && waitsForApproval(view.operation)).length;
  const problems = decisions.filter(({ problem }) => problem !== null);
  const left = fine.length - waiting;
  const words = [
    ...(left > 0 ? [`${counted(left, 'payment', 'payments')} approved, and ${areOf(left)} being sent.`] : []),
    ...(waiting > 0
      ? [`${counted(waiting, 'payment', 'payments')} approved, and ${needs(waiting)} others to approve too.`]
      : []),
    ...(problems.length > 0 ? [`${counted(problems.length, 'payment', 'payments')} had a problem:`] : []),
  ];
  return { text: words.join(' '), problems };
}

function needs(count: number): string {
  return count === 1 ? 'needs' : 'need';
}
