import type { Operation } from '#src/shared/operations/record.ts';
import { testOperation } from '#src/shared/operations/testRecords.ts';
import type { CheckNote, OperationView } from '#src/shared/contract/gatewayContract.ts';

// Test data: the server's view of an operation, a minute after it was sent.

export const checkNote: CheckNote = {
  at: 1_795_000_100_123,
  found: 'nothing',
  lookAlikes: [{ id: 'wd_7', amount: '0.75', status: 'completed', createdAt: 1_795_000_050 }],
  requestId: 'req_list',
  complete: true,
  date: 1_795_000_100,
};

export function testView(change: Partial<Operation> = {}, more: Partial<OperationView> = {}): OperationView {
  const operation = { ...testOperation, ...change };
  return {
    operation,
    checkOnly: false,
    underWay: false,
    allowed: [],
    disabled: {},
    asleepUntil: null,
    waiting: false,
    expired: false,
    absenceProvesFrom: operation.firstSent.service + 26 * 3600,
    now: operation.firstSent.server + 60_000,
    databaseNow: operation.firstSent.database + 60_000,
    serviceNow: operation.firstSent.service + 60,
    checks: [],
    approved: [],
    ...more,
  };
}
