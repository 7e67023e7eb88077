import { numberWords } from '#src/shared/text.ts';
import { useNeededFromMe } from '#src/web/api/approvals.ts';

/** In the navigation: how many payments and batches need this person. */
export function ApprovalsCount() {
  const { toApprove, toSend, batches, batchesToSend, isWhole } = useNeededFromMe();
  const count = toApprove.length + toSend.length + batches.length + batchesToSend.length;
  return (
    count > 0 && (
      <span className="tab-open whitespace-nowrap">
        {numberWords(count)}
        {!isWhole && '+'} {count === 1 && isWhole ? 'needs' : 'need'} you
      </span>
    )
  );
}
