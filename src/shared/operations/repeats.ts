import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import { sameAmount } from './compare.ts';
import type { OperationRequest } from './kind.ts';
import { KIND } from './kinds.ts';

/** A payment of another amount to the same destination is no repeat. One that can't be compared may be. */
export function repeatsOf(request: OperationRequest, earlier: readonly EarlierSend[]): readonly EarlierSend[] {
  const { pays, aboutOf } = KIND[request.kind];
  const { amount } = aboutOf(request);
  const isOther = ({ source, amount: before }: EarlierSend) =>
    pays &&
    (source === 'journal' || source === 'service') &&
    amount !== null &&
    before !== null &&
    !sameAmount(before, amount);
  return earlier.filter((send) => !isOther(send));
}
