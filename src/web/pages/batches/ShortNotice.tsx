import type { BatchTotal } from '#src/shared/batches/batchTotals.ts';
import { listInWords, visibleCode } from '#src/shared/text.ts';
import { Check } from '#src/web/ui/Check.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';

interface ShortNoticeProps {
  totals: readonly BatchTotal[];
  /** Label of the checkbox. */
  confirmation: string;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

/** Warns that the balance is too small. That isn't forbidden, because the balance may change while the batch is sent. */
export function ShortNotice({ totals, confirmation, isConfirmed, onConfirm }: ShortNoticeProps) {
  const short = totals.filter(({ isShort }) => isShort);
  if (short.length === 0) return null;
  return (
    <Notice
      tone="open"
      live
      title={`More than you have available: ${listInWords(short.map(({ asset }) => visibleCode(asset)))}.`}
    >
      The batch pauses at the first payment that is refused for it.
      <Check isChecked={isConfirmed} onChange={onConfirm}>
        {confirmation}
      </Check>
    </Notice>
  );
}
