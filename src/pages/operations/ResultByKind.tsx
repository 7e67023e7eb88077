import type { Operation } from '#src/lib/operations/record.ts';
import { DepositAddressResult } from './DepositAddressResult.tsx';
import { PlainResult } from './PlainResult.tsx';
import { SuccessDetail } from './SuccessDetail.tsx';

/** What the service answered with, in the way of its kind. */
export function ResultByKind({ record }: { record: Operation }) {
  switch (record.kind) {
    case 'withdrawal':
      return <SuccessDetail record={record} />;
    case 'deposit-address':
      return <DepositAddressResult record={record} />;
    case 'charge':
    case 'webhook-replay':
      break;
  }
  return <PlainResult record={record} />;
}
