import type { CheckNote, OperationView } from '#src/shared/contract/gatewayContract.ts';
import type { PaymentNote, Recipient } from '#src/shared/contract/teamContract.ts';
import type { Operation } from '#src/shared/operations/record.ts';

/** What this account's people recorded about payments; the service knows nothing of it. */
export interface TeamRecords {
  recipients: readonly Recipient[];
  notes: readonly PaymentNote[];
  /** Withdrawals sent from here, newest first. */
  operations: readonly {
    operation: Operation;
    checks: readonly CheckNote[];
    approved: OperationView['approved'];
    stopped?: OperationView['stopped'];
  }[];
}
