import { type ReactNode, type RefObject, useState } from 'react';
import { chainLabel } from '#src/shared/chains/names.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import type { Collection, TeamItem, TeamValue } from '#src/shared/contract/teamContract.ts';
import { shorten } from '#src/shared/text.ts';
import { useTeamChange } from '#src/web/api/team.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';

// Shared parts of the lists of saved items.

/** Id of the button that edits a row. It gets the focus back after editing. */
export function editButtonId(id: string): string {
  return `edit-${encodeURIComponent(id)}`;
}

type Removable<C extends Collection> = Pick<TeamItem<TeamValue<C>>, 'id' | 'revision' | 'value'>;

interface RemovalWords<C extends Collection> {
  /** Text after the removal. */
  removed: (value: TeamValue<C>) => ReactNode;
  /** Heading of a failure. */
  failed: string;
  /** The fields to show of the version that a colleague saved meanwhile. */
  theirs: readonly string[];
}

/** Removes a row, and offers Undo. `heading` takes the focus after Undo. */
export function useRemoval<C extends Collection>(
  collection: C,
  heading: RefObject<HTMLHeadingElement | null>,
  words: RemovalWords<C>,
) {
  const { mutateAsync, error, reset } = useTeamChange(collection);
  const [removed, setRemoved] = useState<Removable<C> | null>(null);
  // Failures are shown from the mutation's error.
  const remove = async (item: Removable<C>) => {
    setRemoved(null);
    const done = await mutateAsync({ id: item.id, value: null, revision: item.revision }).catch(() => null);
    if (done) setRemoved(item);
  };
  const undo = async ({ id, value }: Removable<C>) => {
    const done = await mutateAsync({ id, value, revision: 0 }).catch(() => null);
    if (!done) return;
    setRemoved(null);
    heading.current?.focus();
  };
  const notice = (removed ?? error) && (
    <div className="grid gap-3 px-gutter pb-3">
      {removed && (
        <div className="acts-row">
          <Notice tone="plain" live>
            {words.removed(removed.value)}
          </Notice>
          {/* Takes the focus, which was in the removed row. */}
          <Button size="small" ref={focusOnMount} onClick={() => void undo(removed)}>
            Undo
          </Button>
        </div>
      )}
      {error && (
        <>
          <TeamProblem error={error} heading={words.failed} theirs={words.theirs} />
          <Button size="small" onClick={reset}>
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
  return { remove: (item: Removable<C>) => void remove(item), notice };
}

export function AddressCell({ chain, address }: ChainAddress) {
  return (
    <span className="inline-flex items-center gap-1">
      <span>
        <ShortId value={address} />{' '}
        <span className="small sub" translate="no">
          {chainLabel(chain)}
        </span>
      </span>
      <CopyButton value={address} label={`Copy the address ${shorten(address)}`} />
    </span>
  );
}
