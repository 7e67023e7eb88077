import { useState } from 'react';
import { Link } from 'react-router';
import { batchTotals } from '#src/shared/batches/batchTotals.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { counted } from '#src/shared/text.ts';
import type { ReceivedApproval, useApprove } from '#src/web/api/approvals.ts';
import { passkeysUnsupported } from '#src/web/api/passkeys.ts';
import { useSession } from '#src/web/api/session.ts';
import { signsByPasskey } from '#src/web/api/signing.ts';
import { CommandFault } from '#src/web/list/CommandButton.tsx';
import { SignInAgain } from '#src/web/list/SignInAgain.tsx';
import { PaymentTotalsTable, useFreshBalances } from '#src/web/send/PaymentTotals.tsx';
import { CONFIRM_FIRST } from '#src/web/send/SecondSend.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { decisionSummary } from './decisionSummary.ts';

interface ApproveTogetherProps {
  selected: readonly ReceivedApproval[];
  approve: ReturnType<typeof useApprove>;
  /** The title of a payment: "12 USDT to Acme Hosting". */
  titleOf: (approval: ReceivedApproval) => string;
  onApproved: () => void;
}

/** The totals of the selected payments, and one button that approves them all. */
export function ApproveTogether({ selected, approve, titleOf, onApproved }: ApproveTogetherProps) {
  const balances = useFreshBalances();
  const [confirmed, setConfirmed] = useState('');
  const isByPasskey = signsByPasskey(useSession());
  const totals = batchTotals(
    selected.flatMap(({ view }) => withdrawalFieldsOf(view.operation) ?? []),
    balances,
  );
  const count = counted(selected.length, 'payment', 'payments');
  const keys = selected.map(({ view }) => view.operation.key).join(' ');
  const isShort = totals.some((total) => total.isShort);
  const reason = approve.isPending
    ? isByPasskey
      ? 'Waiting for your passkey…'
      : 'Approving…'
    : ((isByPasskey ? passkeysUnsupported() : undefined) ??
      (isShort && confirmed !== keys ? CONFIRM_FIRST : undefined));
  return (
    <section className="grid gap-3 border-t border-rule bg-inset px-gutter py-4" aria-label={`Approve ${count}`}>
      <h3>{count} selected</h3>
      <PaymentTotalsTable totals={totals} />
      <ul className="small list-disc pl-5 wrap-anywhere">
        {selected.map((approval) => (
          <li key={approval.view.operation.key}>
            <bdi translate="no">{titleOf(approval)}</bdi>
          </li>
        ))}
      </ul>
      {isShort && (
        <Notice tone="open" live title="More than you have available.">
          <Check isChecked={confirmed === keys} onChange={(isChecked) => setConfirmed(isChecked ? keys : '')}>
            The amounts are right. Approve them all the same.
          </Check>
        </Notice>
      )}
      <div className="acts-row">
        <Button
          variant="primary"
          disabledReason={reason}
          aria-busy={approve.isPending}
          onClick={({ detail }) => {
            if (detail < 2) approve.mutate(selected, { onSuccess: (decisions) => decisions && onApproved() });
          }}
        >
          Approve {count}
        </Button>
        <span className="small sub">
          {isByPasskey && 'One signature with your passkey. '}Those that then have enough approvals are sent.
        </span>
      </div>
      {!approve.isPending && approve.error && <CommandFault error={approve.error} />}
      <SignInAgain error={approve.error} />
      <output className="small sub empty:hidden">
        {!approve.isPending && approve.data === null && 'Cancelled. Nothing was approved.'}
      </output>
    </section>
  );
}

/** The results of the last approval. */
export function ApprovedTogether({ approve }: Pick<ApproveTogetherProps, 'approve'>) {
  const { data } = approve;
  if (!data || data.length === 0) return null;
  const { text, problems } = decisionSummary(data);
  return (
    <div className="px-gutter py-3">
      <Notice tone={problems.length > 0 ? 'open' : 'plain'} live title={text}>
        {problems.length > 0 && (
          <ul>
            {problems.map(({ key, problem }) => (
              <li key={key}>
                {problem} <Link to={paths.operation(key)}>Open it</Link>
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}
