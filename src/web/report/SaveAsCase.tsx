import { useCan } from '#src/web/api/permissions.ts';
import { useLocation } from 'react-router';
import { useTeamChange } from '#src/web/api/team.ts';
import { type PaymentNote, type Subject, subjectId } from '#src/shared/contract/teamContract.ts';
import { mailFacts } from '#src/shared/mailFacts.ts';
import { revealHidden, shorten } from '#src/shared/text.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { readLocationState } from '#src/web/storage/locationState.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { useNote } from './PaymentNote.tsx';

/** The customer's mail whose search led to this payment. */
export function useMail() {
  const { mail } = readLocationState(useLocation().state);
  return mail ? { ...mail, ...mailFacts(mail.text) } : null;
}

/** "Save as case: order 4711, hash 0x9b1c…": saves the customer's mail in the payment's note with one click. */
export function SaveAsCase({ subject, from }: { subject: Subject; from: Subject | null }) {
  const mail = useMail();
  const canAnnotate = useCan('annotate');
  const { item, revision } = useNote(subject, from);
  const { mutate, error, isPending } = useTeamChange('notes');
  if (!mail || !canAnnotate || item === undefined) return null;
  const { order, ticket, hash, text } = mail;
  const named = [order, ticket && `ticket ${ticket}`, hash && `hash ${shorten(hash)}`].filter(Boolean);
  const before = item?.value;
  const value: PaymentNote = {
    note: '',
    ...before,
    ...subject,
    reference: before?.reference || order,
    ticket: before?.ticket || ticket,
    customer: before?.customer || text,
  };
  // Never overwrite what a person wrote.
  if (named.length === 0 || before?.customer) return null;
  return (
    <div>
      <Button
        size="small"
        className="h-auto min-h-6 whitespace-normal"
        disabledReason={isPending ? 'Saving' : undefined}
        reasonHidden
        onClick={() => mutate({ id: subjectId(subject), value, revision }, { onSuccess: () => announce('Saved') })}
      >
        Save as case: {revealHidden(named.join(', '))}
      </Button>
      {error && <TeamProblem error={error} heading="The case was not saved" />}
    </div>
  );
}
