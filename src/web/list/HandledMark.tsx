import { Check } from 'lucide-react';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { paymentWords } from '#src/web/api/payments.ts';
import { useSession } from '#src/web/api/session.ts';
import { useTeam, useTeamChange } from '#src/web/api/team.ts';
import { subjectId, type Subject } from '#src/shared/contract/teamContract.ts';
import { byWhom, capital } from '#src/shared/text.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { TeamProblem } from './TeamProblem.tsx';

interface HandledMarkProps {
  subject: Pick<Subject, 'id'> & { kind: PaymentKind };
  /** They name the payment for screen readers. */
  amount: unknown;
  asset: string | null;
  big?: boolean;
}

export function HandledMark({ subject, amount, asset, big = false }: HandledMarkProps) {
  const { read_only: readOnly } = useSession();
  const { data } = useTeam('marks');
  const change = useTeamChange('marks');
  const hidden = useAmountsHidden();
  const id = subjectId(subject);
  const item = data?.items.find((each) => each.id === id);
  const mark = item?.value.mark === 'handled' ? item : undefined;
  if (!data) return null;
  const what = paymentWords({ kind: subject.kind, amount: hidden ? null : amount, asset });
  const set = (handled: boolean) =>
    change.mutate(
      {
        id,
        value: handled ? { kind: subject.kind, id: subject.id, mark: 'handled' } : null,
        revision: item?.revision ?? 0,
      },
      { onSuccess: () => announce(`${capital(what)} ${handled ? 'marked as handled' : 'is no longer handled'}`) },
    );
  return (
    <>
      {mark && (
        <span className="small sub">
          Handled{byWhom(mark.who)} <Time unix={mark.updated_at} age />
        </span>
      )}
      {!readOnly && (
        <Button
          {...(!big && { size: 'small' })}
          variant={mark ? 'quiet' : 'plain'}
          icon={mark ? undefined : <Check className={big ? undefined : 'icon-s'} aria-hidden />}
          disabledReason={change.isPending ? 'Saving' : undefined}
          reasonHidden
          // The second click of a double one falls on what moved up: the next payment's mark.
          onClick={({ detail }) => detail < 2 && set(!mark)}
        >
          {mark ? 'Not handled' : 'Mark as handled'}
          <span className="vh"> ({what})</span>
        </Button>
      )}
      {change.error && <TeamProblem error={change.error} heading="The mark was not saved" />}
    </>
  );
}
