import { type Subject, subjectId } from '#src/shared/contract/teamContract.ts';
import { revealHidden } from '#src/shared/text.ts';
import { useSession } from '#src/web/api/session.ts';
import { useTeam, useTeamChange } from '#src/web/api/team.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Time } from '#src/web/ui/Time.tsx';

const NAMELESS = 'Sign in with your name to take this';

/** Says which colleague looks into something, so that two don't; `what` names it for screen readers. */
export function TakeThis({ subject, what }: { subject: Subject; what: string }) {
  const { name } = useSession();
  const { data } = useTeam('marks');
  const change = useTeamChange('marks');
  const id = subjectId(subject);
  const item = data?.items.find((each) => each.id === id);
  const taken = item?.value.mark === 'taken' ? item : null;
  if (!data) return null;
  const set = (isTaken: boolean) =>
    change.mutate({
      id,
      value: isTaken ? { kind: subject.kind, id: subject.id, mark: 'taken' } : null,
      revision: item?.revision ?? 0,
    });
  const isNameless = name === null && taken === null;
  return (
    <>
      {taken && (
        <span className="small">
          <b>{revealHidden(taken.who ?? 'Someone')}</b> took this <Time unix={taken.updated_at} age />{' '}
        </span>
      )}
      <Button
        size="small"
        variant="quiet"
        disabledReason={change.isPending ? 'Saving' : isNameless ? NAMELESS : undefined}
        reasonHidden
        data-tip={isNameless ? NAMELESS : undefined}
        onClick={() => set(taken === null)}
      >
        {taken ? 'Release' : 'Take this'}
        <span className="vh"> ({what})</span>
      </Button>
      {change.error && <TeamProblem error={change.error} heading="The change was not saved" />}
    </>
  );
}
