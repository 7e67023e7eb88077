import { Search } from 'lucide-react';
import { PATHS } from '#src/api/contract.ts';
import { counted } from '#src/lib/count.ts';
import { isZero } from '#src/lib/amount.ts';
import { Button } from '#src/ui/Button.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { checkedWords, FoundRows } from './FoundRows.tsx';
import type { Month } from './readMonth.ts';
import type { MonthClose } from './useMonthClose.ts';

/** What these sums do not hold. */
export function Limits({ month: { sums, unplaced, malformed, feesUnknown, parts } }: { month: Month }) {
  return (
    <>
      {sums === null && (
        <Notice tone="plain" title="This provider offers no ledger.">
          {PATHS.ledgerEntries} isn’t there, so only deposits and withdrawals are counted. Opening and closing balances,
          fees outside of withdrawals, swaps and corrections can’t be shown, and nothing can be compared with the
          balance.
          {parts.withdrawals === null && ' Withdrawals aren’t listed either.'}
        </Notice>
      )}
      {unplaced.length > 0 && (
        <Notice tone="open" title={`${counted(unplaced.length, 'row is', 'rows are')} in no period.`}>
          Without a usable time, asset or amount:{' '}
          {unplaced.slice(0, 5).map(({ row: { id } }) => (
            <span key={id} className="id">
              <UntrustedText value={id} max={40} />{' '}
            </span>
          ))}
          {unplaced.length > 5 && '…'}
        </Notice>
      )}
      {malformed > 0 && (
        <Notice tone="open" title={`${counted(malformed, 'item has', 'items have')} no ID.`}>
          What has no ID can’t be in a statement.
        </Notice>
      )}
      {feesUnknown > 0 && (
        <p className="small sub">
          {counted(feesUnknown, 'withdrawal states', 'withdrawals state')} no fee: it is in the withdrawals line.
        </p>
      )}
    </>
  );
}

/** What came into closed periods after their close, and the search for it. */
export function Findings({ close, isFirst }: { close: MonthClose; isFirst: boolean }) {
  const { month, found, running, own } = close;
  const differs = month?.sums?.some(({ difference }) => difference !== null && !isZero(difference)) === true;
  if (found === null) {
    return differs ? (
      <div className="acts-row">
        <Button icon={<Search aria-hidden />} disabledReason={running ? 'Loading' : undefined} onClick={close.find}>
          Find deposits created in the period and not in the statement
        </Button>
      </div>
    ) : null;
  }
  const { adjustments } = found;
  if (adjustments.length === 0) {
    return (
      <Notice tone="plain" live="status" title="Nothing is missing.">
        {checkedWords(found)} checked: each is in {isFirst ? 'this statement' : 'a statement'}
        {differs && ', so the difference has another cause'}.
      </Notice>
    );
  }
  return (
    <section aria-labelledby="found" className="grid gap-2">
      <h2 id="found">{own === null ? 'Adjustments of closed periods' : 'Not in this or a later statement'}</h2>
      <p className="small sub">
        {checkedWords(found)} checked.{' '}
        {own === null ? 'They go into this statement.' : 'They go into the next statement.'}
      </p>
      <FoundRows adjustments={adjustments} />
    </section>
  );
}
