import type { ComponentType } from 'react';
import type { OperationKind } from '#src/lib/operations/kind.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { DepositAddressResult } from './DepositAddressResult.tsx';
import { PlainResult } from './PlainResult.tsx';
import { SuccessDetail } from './SuccessDetail.tsx';

/** What the service answered with, in the way of its kind. */
export function ResultByKind({ record }: { record: Operation }) {
  const Result = RESULTS[record.kind];
  return <Result record={record} />;
}

const RESULTS: Record<OperationKind, ComponentType<{ record: Operation }>> = {
  withdrawal: SuccessDetail,
  'deposit-address': DepositAddressResult,
  charge: PlainResult,
  'webhook-replay': PlainResult,
};
