import { Check } from 'lucide-react';
import { useSession } from '#src/web/api/session.ts';
import type { Subject } from '#src/shared/contract/teamContract.ts';
import { byWhom } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { TeamProblem } from './TeamProblem.tsx';
import { useMark } from './useMark.ts';

export function HandledMark({ subject, big = false }: { subject: Subject; big?: boolean }) {
  const { read_only: readOnly } = useSession();
  const mark = useMark(subject, 'handled');
  if (!mark) return null;
  const { item, set, isPending, error } = mark;
  return (
    <>
      {item && (
        <span className="small sub">
          Handled{byWhom(item.who)} <Time unix={item.updated_at} age />
        </span>
      )}
      {!readOnly && (
        <Button
          {...(!big && { size: 'small' })}
          variant={item ? 'quiet' : 'plain'}
          icon={item ? undefined : <Check className={big ? undefined : 'icon-s'} aria-hidden />}
          disabledReason={isPending ? 'Saving' : undefined}
          reasonHidden
          // The second click of a double one falls on what moved up: the next payment's mark.
          onClick={({ detail }) => detail < 2 && set(!item)}
        >
          {item ? 'Reopen' : 'Mark as handled'}
        </Button>
      )}
      {error && <TeamProblem error={error} heading="The mark was not saved" />}
    </>
  );
}
