import type { ReactNode } from 'react';
import { useSession } from '#src/web/api/session.ts';
import { signsByPasskey } from '#src/web/api/signing.ts';
import type { ReceivedView } from '#src/web/api/operations/operations.ts';
import { BalanceEffect } from '#src/web/report/BalanceEffect.tsx';
import { PaymentNoteSection } from '#src/web/report/PaymentNote.tsx';
import { Timeline } from '#src/web/report/Timeline.tsx';
import { sendingSteps, timelineOf } from '#src/web/report/timeline.ts';
import { firstSeen, statusIn, useLedgerOf } from '#src/web/report/useCaseFile.ts';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { AttemptList, Checks } from './AttemptList.tsx';
import { Evidence } from '#src/web/report/Evidence.tsx';
import type { OperationPayment } from './usePayment.ts';

interface PaidPartsProps {
  view: ReceivedView;
  payment: OperationPayment;
  children: ReactNode;
}

export function PaidParts({ view, payment, children }: PaidPartsProps) {
  const { operation: record } = view;
  const { row, read } = payment;
  const status = statusIn(row);
  const ledger = useLedgerOf(row.id, status);
  const late = useDelay(ledger.kind === 'reading', 800);
  const entries = ledger.kind === 'read' ? ledger.entries : [];
  const made = {
    operation: record,
    approved: view.approved,
    stopped: view.stopped,
    byPasskey: signsByPasskey(useSession()),
  };
  const isReady = ledger.kind !== 'reading' || late;
  const steps = isReady
    ? timelineOf({ kind: 'withdrawal', row, seen: firstSeen(row.id, status, read), entries, made })
    : sendingSteps(made);
  return (
    <div className="opgrid">
      <div className="in-pad">
        <Timeline steps={steps} here={record.key} wide>
          {ledger.kind === 'none' && <p className="small sub">{ledger.words}</p>}
          {!payment.isNow && isReady && (
            <p className="small sub">As accepted. The provider’s current status hasn’t loaded.</p>
          )}
        </Timeline>
        <Evidence view={view}>
          <AttemptList record={record} />
          <Checks view={view} />
        </Evidence>
      </div>
      <div>
        {isReady && (
          <div className="in-pad pb-6">
            <BalanceEffect level="h2" kind="withdrawal" row={row} status={status} ledger={ledger} />
          </div>
        )}
        {children}
        <div className="in-pad pt-6">
          <PaymentNoteSection
            level="h2"
            subject={{ kind: 'withdrawal', id: row.id }}
            from={{ kind: 'operation', id: record.key }}
          />
        </div>
      </div>
    </div>
  );
}
