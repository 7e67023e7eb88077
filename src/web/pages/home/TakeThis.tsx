import { authorName } from '#src/shared/author.ts';
import type { Subject } from '#src/shared/contract/teamContract.ts';
import { revealHidden } from '#src/shared/text.ts';
import { useSession } from '#src/web/api/session.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { useMark } from '#src/web/list/useMark.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Time } from '#src/web/ui/Time.tsx';

const NAMELESS = 'Sign in with your name to take this';

/** Shows which colleague is looking into something, so that two don't. `what` names it for screen readers. */
export function TakeThis({ subject, what }: { subject: Subject; what: string }) {
  const { name } = useSession();
  const mark = useMark(subject, 'taken');
  if (!mark) return null;
  const { item, set, isPending, error } = mark;
  const isNameless = name === null && item === null;
  return (
    <>
      {item && (
        <span className="small">
          <b>{revealHidden(authorName(item) || 'Someone')}</b> took this <Time unix={item.updated_at} age />{' '}
        </span>
      )}
      <Button
        size="small"
        variant="quiet"
        disabledReason={isPending ? 'Saving' : isNameless ? NAMELESS : undefined}
        reasonHidden
        data-tip={isNameless ? NAMELESS : undefined}
        onClick={() => set(item === null)}
      >
        {item ? 'Release' : 'Take this'}
        <span className="vh"> ({what})</span>
      </Button>
      {error && <TeamProblem error={error} heading="The change was not saved" />}
    </>
  );
}
