import { PATHS } from '#src/api/contract.ts';
import { withdrawalBody } from './body.ts';
import type { StartWithdrawal } from './outcomes.ts';
import { type OperationRecord, SCHEMA_VERSION } from './record.ts';

/** A withdrawal's record before its insert: ready, provably not sent. `firstSentAt`: the service's clock, unix seconds. */
export function newRecord(
  request: StartWithdrawal,
  { id, service, account, firstSentAt }: Pick<OperationRecord, 'id' | 'service' | 'account' | 'firstSentAt'>,
): OperationRecord {
  return {
    schema: SCHEMA_VERSION,
    id,
    kind: 'withdrawal',
    service,
    account,
    key: request.key,
    path: PATHS.withdrawals,
    body: withdrawalBody(request),
    firstSentAt,
    attempts: [],
    state: 'ready',
    secondSendOf: [...request.secondSendOf],
    revision: 0,
  };
}
