import { useQueryClient } from '@tanstack/react-query';
import { armFault, clearFaults, type SandboxFault, sandboxQueries } from '#src/api/sandboxControls.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import type { Place } from './place.ts';
import { freshAddress, type Progress, type ScenarioId, setProgress, useProgress } from './progress.ts';

export interface Rehearsal {
  place: Place;
  /** Null until it begins. */
  progress: Progress | null;
  /** The first withdrawal that this browser recorded since it began. */
  operation: OperationRecord | null;
  /** Notes where the account stands, and begins. */
  begin: (more?: Partial<Progress>) => Promise<void>;
  /** Begins with one fault armed and no other. */
  arm: (fault: SandboxFault) => Promise<void>;
}

/** One guided rehearsal of this account: what has happened of it so far. */
export function useRehearsal(place: Place, scenario: ScenarioId): Rehearsal {
  const queryClient = useQueryClient();
  const { operations } = useOperations();
  const kept = useProgress(place.account);
  const progress = kept?.scenario === scenario ? kept : null;
  // Newest first: the last of those since then is the first that was recorded.
  const operation =
    operations.findLast(
      ({ kind, firstSentAt }) => kind === 'withdrawal' && firstSentAt >= (progress?.since ?? Infinity),
    ) ?? null;

  async function begin(more: Partial<Progress> = {}): Promise<void> {
    const { now } = await queryClient.fetchQuery(sandboxQueries.state(place.account, place.sandbox));
    setProgress({ account: place.account, scenario, since: now, address: freshAddress(), ...more });
  }
  async function arm(fault: SandboxFault): Promise<void> {
    // What else is armed would be met first.
    await clearFaults(place.sandbox);
    await armFault(place.sandbox, fault);
    await begin();
  }
  return { place, progress, operation, begin, arm };
}
