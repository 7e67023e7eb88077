import type { CheckNote } from '#src/operations/outcomes.ts';
import type { AttemptNote, OperationRecord } from '#src/operations/record.ts';

// Records for the tests of this folder.

export const attempt: AttemptNote = {
  id: 'at_1',
  start: 1_795_000_000_000,
  end: 1_795_000_000_400,
  date: 1_795_000_000,
  by: 'person',
  because: null,
  from: { state: 'ready' },
  outcome: 'no-answer',
  late: false,
  status: 502,
  requestId: null,
  replayed: false,
  lost: null,
  gatewayError: null,
  contentType: 'text/html',
  errorType: null,
  errorCode: null,
  errorMessage: null,
  resultId: null,
};
export const record: OperationRecord = {
  schema: 2,
  id: 'op_1',
  kind: 'withdrawal',
  service: 'sandbox',
  account: 'a1',
  key: 'key-1',
  path: '/v1/withdrawals',
  body: '{"asset":"BTC","chain":"bitcoin","amount":"0.75","address":"bc1q"}',
  firstSentAt: 1_795_000_000,
  attempts: [attempt],
  state: 'unconfirmed',
  reason: 'no-answer',
  secondSendOf: [],
  revision: 2,
};

export const check: CheckNote = {
  at: 1_795_000_100_123,
  found: 'nothing',
  lookAlikes: [{ id: 'wd_7', amount: '0.75', status: 'completed', createdAt: 1_795_000_050 }],
  requestId: 'req_list',
  complete: true,
  date: 1_795_000_100,
};
