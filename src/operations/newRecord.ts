import type { StartRequest } from './outcomes.ts';
import { type OperationRecord, SCHEMA_VERSION } from './record.ts';

/** An operation's record before its insert: ready, provably not sent. `firstSentAt`: the service's clock, unix seconds. */
export function newRecord(
  request: StartRequest,
  { id, service, account, firstSentAt }: Pick<OperationRecord, 'id' | 'service' | 'account' | 'firstSentAt'>,
): OperationRecord {
  return {
    schema: SCHEMA_VERSION,
    id,
    kind: request.kind,
    service,
    account,
    key: request.key,
    path: request.path,
    body: request.body,
    firstSentAt,
    attempts: [],
    state: 'ready',
    secondSendOf: [...request.secondSendOf],
    revision: 0,
  };
}
