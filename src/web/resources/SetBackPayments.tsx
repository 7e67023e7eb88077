import { Link } from 'react-router';
import type { ClosedSetBack, SetBackPayments } from '#src/shared/contract/gatewayContract.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { amountText } from '#src/shared/operations/kinds.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, numberWords, revealHidden } from '#src/shared/text.ts';
import { useCloseSetBack, useSetBackPayments } from '#src/web/api/operations/setBackPayments.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { type PaymentName, usePaymentNames } from '#src/web/list/paymentNames.ts';
import { TypedDialog } from '#src/web/send/TypedDialog.tsx';
import { Amount, useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { useShowMore } from '#src/web/ui/useShowMore.tsx';

/** What waited to be sent when the database was restored, a button that closes it all, and what came of that. */
export function SetBackPaymentsNotice() {
  const unsent = useSetBackPayments();
  const close = useCloseSetBack();
  const nameOf = usePaymentNames();
  const closeRefusal = useRefusal('close');
  // The provider's list is loaded first.
  const checkRefusal = useRefusal('check');
  const payments = counted(unsent?.payments ?? 0, 'payment', 'payments');
  return (
    <>
      {close.data && <ClosedNotice closed={close.data} nameOf={nameOf} />}
      {unsent && unsent.payments + unsent.own > 0 && (
        <div className="px-gutter py-4">
          <Notice tone="open" title={waitedWords(unsent)}>
            What was sent since isn’t known here.
            {unsent.own > 0 && ` ${ownWords(unsent.own)}`}
            {unsent.payments > 0 && (
              <div className="acts-row pt-2">
                <TypedDialog
                  opener={unsent.payments === 1 ? 'Close it…' : `Close all ${numberWords(unsent.payments)}…`}
                  title={`Close ${payments} manually`}
                  size="small"
                  disabledReason={closeRefusal ?? checkRefusal}
                  label="Reason"
                  help="Who said what, when, and under which case number. Saved for good with the evidence of each."
                  long
                  validate={(words) => (words === '' ? 'Say why they are closed: it cannot be added later.' : null)}
                  command={close}
                  submit={`Close ${payments}`}
                  busy="Loading the provider’s list"
                  cancelLabel="Cancel"
                >
                  <WhatCloses unsent={unsent} />
                </TypedDialog>
              </div>
            )}
          </Notice>
        </div>
      )}
    </>
  );
}

export function WhatCloses({ unsent: { payments, totals, own } }: { unsent: SetBackPayments }) {
  return (
    <>
      <p>{counted(payments, 'payment', 'payments')}, in total:</p>
      <ul className="list-disc pl-5">
        {totals.map(({ asset, chain, amount }) => (
          <li key={`${asset} ${chain}`}>
            <Amount value={amount} asset={asset} always flow /> on{' '}
            <bdi translate="no">{revealHidden(chainLabel(chain))}</bdi>
          </li>
        ))}
      </ul>
      <ul className="grid max-w-184 list-disc gap-1 pl-5">
        <li>
          The provider’s list of withdrawals is loaded first, back to before the first of them was recorded. If it can’t
          be loaded whole, nothing is closed.
        </li>
        <li>A payment that looks like one in the list stays open.</li>
        <li>
          The others are shown as “Closed manually, outcome not proven here”, with your reason and the time, and can’t
          be opened again. Nothing is sent or undone.
        </li>
        {own > 0 && <li>{ownWords(own)}</li>}
      </ul>
    </>
  );
}

/** How many were closed, and which stay open. */
export function ClosedNotice({
  closed: { closed, left, own },
  nameOf,
}: {
  closed: ClosedSetBack;
  nameOf: PaymentName;
}) {
  const hidden = useAmountsHidden();
  const { shown, more } = useShowMore(left);
  const stay = left.length === 0 ? '' : ` ${left.length === 1 ? '1 stays' : `${numberWords(left.length)} stay`} open:`;
  return (
    <div className="px-gutter py-4">
      <Notice
        tone={left.length > 0 ? 'open' : 'plain'}
        live
        title={`Closed ${counted(closed, 'payment', 'payments')}.${stay}`}
      >
        {left.length > 0 && (
          <ul className="list-disc pl-5">
            {shown.map(({ key, why, ...sent }) => (
              <li key={key}>
                <Link to={paths.operation(key)}>
                  {amountText({ ...sent, destination: sent.address }, hidden)}{' '}
                  {nameOf({ kind: 'withdrawal', id: '', ...sent })}
                </Link>
                : {WHY_LEFT[why]}
              </li>
            ))}
          </ul>
        )}
        {more}
        {own > 0 && ownWords(own)}
      </Notice>
    </div>
  );
}

const WHY_LEFT: Record<ClosedSetBack['left'][number]['why'], string> = {
  'look-alike': 'the provider lists a withdrawal that looks like it.',
  changed: 'it changed after the list was loaded.',
};

function waitedWords({ payments, own }: SetBackPayments): string {
  return `${counted(payments + own, 'payment', 'payments')} waited to be sent when the database was restored.`;
}

function ownWords(own: number): string {
  return `${counted(own, 'payment', 'payments')} that you prepared needed approval, so somebody else has to close ${own === 1 ? 'it' : 'them'}.`;
}
