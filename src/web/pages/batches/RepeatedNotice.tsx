import { Fragment } from 'react';
import { Link } from 'react-router';
import type { RepeatedPayments } from '#src/shared/batches/unusual.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, numberWords } from '#src/shared/text.ts';
import { Check } from '#src/web/ui/Check.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { ShortTime } from '#src/web/ui/Time.tsx';

interface RepeatedNoticeProps {
  repeated: RepeatedPayments;
  /** How many payments there are in all. */
  total: number;
  /** Absent where the confirmation stands elsewhere. */
  confirmation?: { isConfirmed: boolean; onConfirm: (isConfirmed: boolean) => void };
}

/** The same amounts to the same recipients as in earlier batches: a month's payments, or a mistake. */
export function RepeatedNotice({ repeated: { payments, batches }, total, confirmation }: RepeatedNoticeProps) {
  const count = payments.length;
  const where = batches.length === 1 ? 'an earlier batch' : `${numberWords(batches.length)} earlier batches`;
  return (
    <Notice tone="open" live title={`${paymentsAre(count, total)} also in ${where}.`}>
      With the same amount to the same recipient: in the{' '}
      {batches.map(({ id: batch, at }, index) => (
        <Fragment key={batch}>
          {index > 0 && ', in the '}
          <Link to={paths.batch(batch)} target="_blank" rel="noopener noreferrer">
            batch of <ShortTime unix={Math.floor(at / 1000)} />
          </Link>
        </Fragment>
      ))}
      .
      {confirmation && (
        <Check isChecked={confirmation.isConfirmed} onChange={confirmation.onConfirm}>
          {count === 1 ? 'It is due again.' : 'They are due again.'}
        </Check>
      )}
    </Notice>
  );
}

function paymentsAre(count: number, total: number): string {
  if (total === 1) return 'The payment is';
  if (count === total) return `All ${numberWords(total)} payments are`;
  return `${numberWords(count)} of ${counted(total, 'payment', 'payments')} ${count === 1 ? 'is' : 'are'}`;
}
