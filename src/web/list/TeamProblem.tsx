import { outcomeUnknown } from '#src/web/api/errors.ts';
import { EditConflictError } from '#src/web/api/team.ts';
import { byWhom } from '#src/shared/author.ts';
import type { TeamItem } from '#src/shared/contract/teamContract.ts';
import { isObject } from '#src/shared/answers.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

interface TeamProblemProps {
  error: unknown;
  heading: string;
  /** The fields to show of the version that a colleague saved meanwhile. */
  theirs?: readonly string[];
}

/** Why a shared item was not saved. If a colleague changed it meanwhile, shows that version, which was not overwritten. */
export function TeamProblem({ error, heading, theirs }: TeamProblemProps) {
  if (!(error instanceof EditConflictError)) {
    if (!outcomeUnknown(error)) return <ErrorNotice error={error} heading={heading} />;
    const advice = 'You can try again: it is saved only once.';
    return <ErrorNotice error={error} advice={advice} heading="We don’t know whether this was saved" />;
  }
  return <ChangedMeanwhile item={error.item} theirs={theirs} />;
}

interface ChangedProps {
  /** The current version; null if it was removed. */
  item: TeamItem<unknown> | null;
  theirs: readonly string[] | undefined;
}

export function ChangedMeanwhile({ item, theirs }: ChangedProps) {
  return (
    <Notice tone="open" live title="A colleague changed this meanwhile.">
      {item === null ? (
        'It was removed. '
      ) : (
        <>
          {theirs && (
            <>
              Now: <UntrustedText value={textsOf(item.value, theirs)} max={600} />.{' '}
            </>
          )}
          Saved{byWhom(item)} <Time unix={item.updated_at} age />.{' '}
        </>
      )}
      Your change was not saved.
    </Notice>
  );
}

function textsOf(value: unknown, names: readonly string[]): string {
  const texts = names.map((name) => (isObject(value) ? value[name] : ''));
  return texts.filter((text) => typeof text === 'string' && text !== '').join(' · ');
}
