import type { OperationRecord } from '#src/operations/record.ts';
import { PlainResult } from './PlainResult.tsx';

/** The deposit address that the service answered with. */
export function DepositAddressResult({ record }: { record: OperationRecord }) {
  return <PlainResult record={record} />;
}
