import { BookOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { BalanceEffect } from '#src/web/report/BalanceEffect.tsx';
import { OperationHistory } from '#src/web/report/OperationHistory.tsx';
import { PaymentNoteSection } from '#src/web/report/PaymentNote.tsx';
import { SaveAsCase } from '#src/web/report/SaveAsCase.tsx';
import { Timeline } from '#src/web/report/Timeline.tsx';
import { statusIn, useLedgerOf, usePaymentSteps } from '#src/web/report/useCaseFile.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { paths } from '#src/shared/paths.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { CopyText } from '#src/web/ui/CopyButton.tsx';
import { CaseFileLink } from './CaseFileLink.tsx';
import { ReplyButton } from './ReplyButton.tsx';
import { RawJson } from './OtherFields.tsx';

interface PaymentDetailProps {
  kind: PaymentKind;
  row: ListRow;
  read: ResponseInfo;
  at: string;
  facts: ReactNode;
  ids: ReactNode;
}

export function PaymentDetail({ kind, row, read, at, facts, ids }: PaymentDetailProps) {
  const { id } = row;
  const status = statusIn(row);
  const ledger = useLedgerOf(id, status);
  const { steps, history, made, ready } = usePaymentSteps(kind, id, { row, read }, ledger);
  // Render all parts at once: one by one, they would push each other down.
  if (!ready) return null;
  const others = history.parts.filter(({ key }) => key !== made?.key);
  const own = history.parts.filter(({ key }) => key === made?.key);
  return (
    <>
      <div className="grid grid-cols-1 gap-2">
        <div className="flex flex-wrap gap-1 [&_.btn]:px-1.5">
          <ReplyButton {...{ kind, row, read, made }} size="small" />
          <CopyText
            size="small"
            label="Copy link"
            keys="L"
            text={() => new URL(`${at}/${encodeURIComponent(id)}`, location.origin).href}
          />
          <CaseFileLink at={at} id={id} size="small" keys="O" />
          {isSearchText(id) && (
            <Link className={buttonClass('plain', 'small')} to={paths.ledger(new URLSearchParams({ source: id }))}>
              <BookOpen className="icon-s" aria-hidden /> Ledger
            </Link>
          )}
        </div>
        <SaveAsCase subject={{ kind, id }} from={made ? { kind: 'operation', id: made.key } : null} />
      </div>
      {made && <PaidOnce record={made} />}
      <Timeline steps={steps} here={id}>
        {ledger.kind === 'reading' && <p className="small sub">Loading the ledger entries…</p>}
        {ledger.kind === 'none' && <p className="small sub">{ledger.words}</p>}
        {ledger.kind === 'read' && ledger.more && <p className="small sub">The ledger may have more entries of it.</p>}
        {kind === 'withdrawal' && history.status === 'ready' && history.parts.length === 0 && (
          <p className="small sub">Not sent from here: no operation recorded here made it.</p>
        )}
      </Timeline>
      {(others.length > 0 || history.status !== 'ready') && (
        <OperationHistory history={{ ...history, parts: others }} />
      )}
      <BalanceEffect kind={kind} row={row} status={status} ledger={ledger} />
      {facts}
      <PaymentNoteSection subject={{ kind, id }} from={made ? { kind: 'operation', id: made.key } : null} />
      <div>
        <details className="border-y border-rule py-2">
          <summary>
            IDs and request
            {made && ' · Idempotency-Key'}
          </summary>
          <div className="grid grid-cols-1 gap-4">
            {ids}
            {isSearchText(id) && (
              <p>
                <Link to={paths.apiLog(new URLSearchParams({ text: id }))}>API log of this {kind}</Link>
              </p>
            )}
            {own.length > 0 && <OperationHistory history={{ ...history, parts: own }} />}
          </div>
        </details>
        <RawJson value={row} />
      </div>
    </>
  );
}

/** After a lost response: the replayed one proves that nothing was paid twice. */
function PaidOnce({ record: { attempts } }: { record: Operation }) {
  if (attempts.length < 2 || !attempts.some(({ outcome, replayed }) => outcome === 'success' && replayed)) return null;
  return (
    <p>
      <b>Paid once.</b> The resend returned the withdrawal that an earlier attempt had made.
    </p>
  );
}
