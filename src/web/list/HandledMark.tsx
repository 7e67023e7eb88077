import { useRefusal } from '#src/web/api/permissions.ts';
import { Check } from 'lucide-react';
import { byWhom } from '#src/shared/author.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { paymentWords } from '#src/web/api/payments.ts';
import type { Subject } from '#src/shared/contract/teamContract.ts';
import { capital } from '#src/shared/text.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { TeamProblem } from './TeamProblem.tsx';
import { useMark } from './useMark.ts';

interface HandledMarkProps {
  subject: Pick<Subject, 'id'> & { kind: PaymentKind };
  /** Amount and asset name the payment for screen readers. */
  amount: unknown;
  asset: string | null;
  big?: boolean;
}

export function HandledMark({ subject, amount, asset, big = false }: HandledMarkProps) {
  const refusal = useRefusal('mark-handled');
  const hidden = useAmountsHidden();
  const mark = useMark(subject, 'handled');
  if (!mark) return null;
  const { item, isPending, error } = mark;
  const what = paymentWords({ kind: subject.kind, amount: hidden ? null : amount, asset });
  const set = (isHandled: boolean) =>
    mark.set(isHandled, () => announce(`${capital(what)} ${isHandled ? 'marked as handled' : 'is no longer handled'}`));
  return (
    <>
      {item && (
        <span className="small sub">
          Handled{byWhom(item)} <Time unix={item.updated_at} age />
        </span>
      )}
      <Button
        {...(!big && { size: 'small' })}
        variant={item ? 'quiet' : 'plain'}
        icon={item ? undefined : <Check className={big ? undefined : 'icon-s'} aria-hidden />}
        disabledReason={refusal ?? (isPending ? 'Saving' : undefined)}
        reasonHidden={refusal === undefined}
        // The second click of a double click would hit the mark of the next payment, which has moved up.
        onClick={({ detail }) => detail < 2 && set(!item)}
      >
        {item ? 'Reopen' : 'Mark as handled'}
        <span className="vh"> ({what})</span>
      </Button>
      {error && <TeamProblem error={error} heading="The mark was not saved" />}
    </>
  );
}
