import { readWithdrawalBody } from '#src/operations/body.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';

/** An operation in a few words: amount and short destination, as recorded. */
export function What({ record }: { record: OperationRecord }) {
  const sent = readWithdrawalBody(record.body);
  if (!sent) return 'a withdrawal';
  return (
    <>
      <Amount value={sent.amount} asset={sent.asset} flow /> to <ShortId value={sent.address} />
    </>
  );
}
