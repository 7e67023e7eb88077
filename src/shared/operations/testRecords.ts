import type { AttemptNote, Operation } from './record.ts';

// For tests: a withdrawal whose only attempt received a web page.

export const attemptNote: AttemptNote = {
  id: 'at_1',
  start: 1_795_000_000_000,
  end: 1_795_000_000_400,
  date: 1_795_000_000,
  by: 'person',
  who: null,
  person: null,
  because: null,
  from: { state: 'ready' },
  outcome: 'no-answer',
  late: false,
  status: 502,
  requestId: null,
  replayed: false,
  lost: null,
  contentType: 'text/html',
  errorType: null,
  errorCode: null,
  errorMessage: null,
  resultId: null,
};

const sent = { service: 1_795_000_000, server: 1_795_000_000_000, database: 1_795_000_000_000 };

export const testOperation: Operation = {
  key: 'key-1',
  kind: 'withdrawal',
  path: '/v1/withdrawals',
  body: '{"asset":"BTC","chain":"bitcoin","amount":"0.75","address":"bc1q"}',
  firstSent: sent,
  lastSent: sent,
  who: null,
  person: null,
  attempts: [attemptNote],
  state: 'unconfirmed',
  reason: 'no-answer',
  secondSendOf: [],
  revision: 2,
};
