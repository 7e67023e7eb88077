import { useQueryClient } from '@tanstack/react-query';
import { armFault, clearFaults, type SandboxFault, sandboxQueries } from '#src/api/sandboxControls.ts';
import type { SeenOperation } from '#src/api/operations.ts';
import { useOperations } from '#src/api/useOperations.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import type { SandboxAccount } from './sandboxAccount.ts';
import { freshAddress, type Progress, type ScenarioId, setProgress, useProgress } from './progress.ts';

export interface Rehearsal {
  owner: SandboxAccount;
  /** Null until it begins. */
  progress: Progress | null;
  /** The first withdrawal that was recorded since it began. */
  operation: Operation | null;
  /** The same as the server last said it. */
  seen: SeenOperation | null;
  /** Notes where the account stands, and begins. */
  begin: (more?: Partial<Progress>) => Promise<void>;
  /** Begins with one fault armed and no other. */
  arm: (fault: SandboxFault) => Promise<void>;
}

const WITHDRAWALS = { kind: 'withdrawal' } as const;

/** One guided rehearsal of this account: what has happened of it so far. */
export function useRehearsal(owner: SandboxAccount, scenario: ScenarioId): Rehearsal {
  const queryClient = useQueryClient();
  // The page of a rehearsal waits for what happens to its withdrawal.
  const { views } = useOperations(WITHDRAWALS, true);
  const kept = useProgress(owner.account);
  const progress = kept?.scenario === scenario ? kept : null;
  // Newest first: the last of those since then is the first that was recorded.
  const since = progress?.since ?? Infinity;
  const seen = views.findLast(({ operation }) => operation.firstSent.service >= since) ?? null;

  async function begin(more: Partial<Progress> = {}): Promise<void> {
    const { now } = await queryClient.fetchQuery(sandboxQueries.state(owner.account, owner.sandbox));
    setProgress({ account: owner.account, scenario, since: now, address: freshAddress(), ...more });
  }
  async function arm(fault: SandboxFault): Promise<void> {
    // What else is armed would be met first.
    await clearFaults(owner.sandbox);
    await armFault(owner.sandbox, fault);
    await begin();
  }
  return { owner, progress, operation: seen?.operation ?? null, seen, begin, arm };
}
