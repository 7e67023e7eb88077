import { Check } from 'lucide-react';
import { useSession } from '#src/web/api/session.ts';
import { useTeam, useTeamChange } from '#src/web/api/team.ts';
import { subjectId, type Subject } from '#src/shared/contract/teamContract.ts';
import { byWhom } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { TeamProblem } from './TeamProblem.tsx';

export function HandledMark({ subject, big = false }: { subject: Subject; big?: boolean }) {
  const { read_only: readOnly } = useSession();
  const { data } = useTeam('marks');
  const change = useTeamChange('marks');
  const id = subjectId(subject);
  const item = data?.items.find((each) => each.id === id);
  const mark = item?.value.mark === 'handled' ? item : undefined;
  if (!data) return null;
  const set = (handled: boolean) =>
    change.mutate({
      id,
      value: handled ? { kind: subject.kind, id: subject.id, mark: 'handled' } : null,
      revision: item?.revision ?? 0,
    });
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
          {mark ? 'Reopen' : 'Mark as handled'}
        </Button>
      )}
      {change.error && <TeamProblem error={change.error} heading="The mark was not saved" />}
    </>
  );
}
