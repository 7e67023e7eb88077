import { useState } from 'react';
import { dayWords } from '#src/shared/createdRange.ts';
import { revealHidden } from '#src/shared/text.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import type { NextPayment, StandingPaymentItem } from '#src/web/api/standingPayments.ts';
import { useTeamChange } from '#src/web/api/team.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { AttentionLines } from './AttentionLines.tsx';
import { dueLine } from './dueLine.tsx';
import type { HomeData } from './useHome.ts';

/** Payments to prepare or to approve soon: from two days before their day. */
export function Due({ home: { due, today }, isReady }: { home: HomeData; isReady: boolean }) {
  const name = usePaymentNames();
  const { skip, notice } = useSkip();
  const skipRefusal = useRefusal('save-standing-payments');
  const lines = due.map((item) => dueLine(item, { today, name, skip, skipRefusal }));
  if (!isReady || (lines.length === 0 && notice === null)) return null;
  return (
    <section className="reg" aria-label="Due" tabIndex={-1} data-takes-focus>
      {lines.length > 0 && <AttentionLines title="Due" when="Date" all={lines} />}
      {notice}
    </section>
  );
}

/** Skips one date of a standing payment. `notice` confirms it and offers Undo, because the line itself disappears. */
function useSkip() {
  const { mutateAsync, error, isPending } = useTeamChange('standing-payments');
  const [skipped, setSkipped] = useState<{ before: NextPayment; now: StandingPaymentItem } | null>(null);
  // Failures are shown from the mutation's error.
  const skip = async (next: NextPayment) => {
    const { item, date } = next;
    setSkipped(null);
    const value = { ...item.value, handled_through: date };
    const now = await mutateAsync({ id: item.id, value, revision: item.revision }).catch(() => null);
    if (now) setSkipped({ before: next, now });
  };
  const undo = async ({ before, now }: { before: NextPayment; now: StandingPaymentItem }) => {
    const value = { ...now.value, handled_through: before.item.value.handled_through };
    const done = await mutateAsync({ id: now.id, value, revision: now.revision }).catch(() => null);
    if (done) setSkipped(null);
  };
  const notice =
    skipped === null && error === null ? null : (
      <div className="grid gap-3 px-gutter py-3">
        {skipped && (
          <div className="acts-row">
            <Notice tone="plain" live>
              Skipped {dayWords(skipped.before.date)} of “{revealHidden(skipped.now.value.name)}”.
            </Notice>
            {/* Takes the focus, which was in the removed line. */}
            <Button
              size="small"
              key={skipped.now.revision}
              ref={focusOnMount}
              disabledReason={isPending ? 'Saving' : undefined}
              reasonHidden
              onClick={() => void undo(skipped)}
            >
              Undo
            </Button>
          </div>
        )}
        {error && (
          <TeamProblem
            error={error}
            heading={skipped ? 'The date is still skipped' : 'The date was not skipped'}
            theirs={['name', 'handled_through']}
          />
        )}
      </div>
    );
  return { skip: (next: NextPayment) => void skip(next), notice };
}
