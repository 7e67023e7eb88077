import { Check, Reply } from 'lucide-react';
import { useState } from 'react';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { useSession } from '#src/web/api/session.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import { customerReply } from '#src/web/report/customerReply.ts';
import { useNote } from '#src/web/report/PaymentNote.tsx';
import { ReplyDialog } from '#src/web/report/ReplyDialog.tsx';
import { useMail } from '#src/web/report/SaveAsCase.tsx';
import { accountName, usePreferences } from '#src/web/storage/preferences.ts';
import { Button, type ButtonProps } from '#src/web/ui/Button.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { usePaymentStanding } from './useUsualTimes.ts';

interface PaymentReplyProps {
  kind: PaymentKind;
  row: ListRow;
  read: ResponseInfo;
  /** The operation recorded here that created the payment; null if none. */
  made: Operation | null;
}

/** Opens a reply about the payment, to edit and copy. */
export function ReplyButton({ kind, row, read, made, ...button }: PaymentReplyProps & Pick<ButtonProps, 'size'>) {
  const [isOpen, setOpen] = useState(false);
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Reply;
  return (
    <>
      <Button
        {...button}
        icon={<Icon className="icon-s" aria-hidden />}
        data-keys="R"
        onClick={() => setOpen(true)}
        onBlur={() => setCopied(false)}
      >
        Reply
      </Button>
      {isOpen && (
        <PaymentReply
          {...{ kind, row, read, made }}
          onClose={(wasCopied) => {
            setOpen(false);
            setCopied(wasCopied);
          }}
        />
      )}
    </>
  );
}

/** Longest wait for the ledger entries before the reply is shown without them. */
const WAIT_MAX_MS = 5_000;

function PaymentReply({ kind, row, read, made, onClose }: PaymentReplyProps & { onClose: (copied: boolean) => void }) {
  const { service, account } = useSession();
  const { standing, isLoading } = usePaymentStanding(kind, row, read);
  const { item, error } = useNote({ kind, id: row.id }, made && { kind: 'operation', id: made.key });
  const mail = useMail();
  const merchant = accountName(usePreferences(), service, account) ?? '';
  const isLate = useDelay(isLoading, WAIT_MAX_MS);
  const isPreparing = (isLoading && !isLate) || (item === undefined && !error);
  const note = item?.value;
  const text = customerReply({
    kind,
    row,
    standing,
    readAt: read.readAt,
    order: note?.reference || mail?.order || '',
    ticket: note?.ticket || mail?.ticket || '',
    merchant,
    chainWanted: mail?.chain,
    amountWanted: mail?.amount,
  });
  return (
    <ReplyDialog
      title={`Reply to the ${kind === 'deposit' ? 'customer' : 'recipient'}`}
      text={isPreparing ? null : text}
      onClose={onClose}
    />
  );
}
