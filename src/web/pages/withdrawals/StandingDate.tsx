import { useQueryClient } from '@tanstack/react-query';
import { type Control, useWatch } from 'react-hook-form';
import { byWhom } from '#src/shared/author.ts';
import { dueWords } from '#src/shared/due/dueWords.ts';
import { dayWords } from '#src/shared/createdRange.ts';
import { revealHidden } from '#src/shared/text.ts';
import { outcomeUnknown } from '#src/web/api/errors.ts';
import { useSession } from '#src/web/api/session.ts';
import { isHandled, markPrepared, readStandingDate, useStandingPayments } from '#src/web/api/standingPayments.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { useToday } from '#src/web/ui/useToday.ts';
import type { FormFields } from './withdrawalForm.ts';

/** Which date of which standing payment the form pays, and whether a colleague was faster. */
export function StandingDateNotice({ control }: { control: Control<FormFields> }) {
  const of = readStandingDate(useWatch({ control, name: 'standing' }));
  const today = useToday();
  const { payments } = useStandingPayments(of !== null);
  const item = payments?.find(({ item: each }) => each.id === of?.id)?.item;
  if (of === null || item === undefined) return null;
  const name = revealHidden(item.value.name);
  if (isHandled(item.value, of.date))
    return (
      <Notice tone="open" live title="Somebody already prepared or skipped this one.">
        {dayWords(of.date)} of “{name}” is done{byWhom(item)}, <Time unix={item.updated_at} age />. Check the
        withdrawals before you pay it again.
      </Notice>
    );
  return (
    <Notice tone="plain" title={`${name}, ${dueWords(of.date, today)}.`}>
      A standing payment. The reminder ends once the payment is recorded.
    </Notice>
  );
}

/** Returns a function that ends the reminder of a standing payment's date once its payment is recorded. */
export function useMarkStanding(): (paid: FormFields) => void {
  const client = useQueryClient();
  const { account } = useSession();
  return (paid) => {
    const of = readStandingDate(paid.standing);
    if (of === null) return;
    const mark = () => markPrepared({ client, account }, of, paid);
    void mark()
      .catch(mark)
      .catch((error: unknown) =>
        announce(
          outcomeUnknown(error)
            ? 'The reminder of the standing payment may still be there. Skip it on Home.'
            : 'The reminder of the standing payment is still there. Skip it on Home.',
        ),
      );
  };
}
