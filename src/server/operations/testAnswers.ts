import type { AttemptResult, NoAnswerReason, ServiceAnswer } from '#src/shared/answers.ts';
import type { AttemptNote, OperationRecord } from '#src/shared/operations/record.ts';
import { withdrawalBody } from '#src/shared/operations/withdrawal.ts';
import type { OperationListQuery } from './ports.ts';

// Test support: records, and the service's responses to them.

export const SENT = {
  asset: 'BTC',
  chain: 'bitcoin',
  amount: '0.75000000',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
};
export const HOUR = 3_600_000;
export const SERVICE = 'https://pay.example';
export const ACCOUNT = 'a'.repeat(32);
export const OWNER = { service: SERVICE, account: ACCOUNT };
/** The credential of an account's first key. Differs from the account's id, so that a test notices if they are confused. */
export const credentialFor = (account: string): string => `c${account.slice(1)}`;
export const OTHER_ACCOUNT = 'b'.repeat(32);
/** The whole list of the account. */
export const LIST_ALL: OperationListQuery = {
  ...OWNER,
  states: null,
  kind: null,
  about: null,
  cursor: null,
  limit: 100,
};
/** The service's clock at the start of every test, Unix seconds. */
export const T0 = 1_790_000_000;
/** All clocks at the start of every test. */
export const START = { service: T0, server: T0 * 1_000, database: T0 * 1_000 };

export function answer(status: number, body: unknown, more: Partial<ServiceAnswer> = {}): ServiceAnswer {
  return {
    kind: 'answer',
    status,
    requestId: 'req_1',
    date: T0,
    replayed: false,
    retryAfter: null,
    contentType: 'application/json',
    text: typeof body === 'string' ? body : JSON.stringify(body),
    complete: true,
    ms: 5,
    ...more,
  };
}

export function envelope(code: string, type = 'api_error'): object {
  return { error: { type, code, message: 'As the service put it.', request_id: 'req_1' } };
}

/** The service's object for a sent request. */
export function created(more: object = {}): object {
  const own = { id: 'wd_1', object: 'withdrawal', status: 'pending', ...SENT, fee: '0.0001', tx_hash: null };
  return { ...own, created_at: T0, ...more };
}

export function lost(reason: NoAnswerReason = 'timeout'): AttemptResult {
  return { kind: 'no-answer', reason, ms: 30_000 };
}

/** A page of the service's list. */
export function listBody(data: unknown[], next: string | null = null, more: object = {}): object {
  return { object: 'list', data, has_more: next !== null, next_cursor: next, ...more };
}

export function operationRecord(more: Partial<OperationRecord> = {}): OperationRecord {
  return {
    key: 'key-1',
    kind: 'withdrawal',
    service: SERVICE,
    account: ACCOUNT,
    credential: credentialFor(more.account ?? ACCOUNT),
    path: '/v1/withdrawals',
    body: withdrawalBody(SENT),
    firstSent: START,
    lastSent: START,
    who: 'Ann',
    person: null,
    attempts: [],
    state: 'ready',
    secondSendOf: [],
    revision: 0,
    ...more,
  };
}

/** The fields of a line of the batch "batch_1". */
export function batchLine(line: number): Pick<OperationRecord, 'batch' | 'recorded'> {
  return { batch: { id: 'batch_1', line, reference: null, recipient: null }, recorded: START };
}

/** A person's first attempt, under way. */
export function attemptWith(more: Partial<AttemptNote> = {}): AttemptNote {
  return {
    id: 'at_1',
    start: START.server,
    end: null,
    date: T0,
    by: 'person',
    who: 'Ann',
    person: null,
    because: null,
    from: { state: 'ready' },
    outcome: null,
    late: false,
    status: null,
    requestId: null,
    replayed: false,
    lost: null,
    contentType: null,
    errorType: null,
    errorCode: null,
    errorMessage: null,
    resultId: null,
    ...more,
  };
}
