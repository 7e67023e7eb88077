import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { armFault, clearFaults, type SandboxFault, sandboxQueries } from '#src/web/api/sandboxControls.ts';
import { useOperations } from '#src/web/api/operations/useOperations.ts';
import { parseJson } from '#src/shared/answers.ts';
import { readStored, store } from '#src/web/storage/browserStorage.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { hex, randomBytes } from '#src/shared/operations/random.ts';
import { createStore } from '#src/web/ui/store.ts';
import { useSandbox } from './control.tsx';

const schema = v.object({
  /** Whose: another account starts from nothing. */
  account: v.string(),
  scenario: v.picklist(['lost-answer', 'slow', 'late-payment', 'too-late']),
  /** The account's clock when it began, Unix seconds. */
  since: v.number(),
  /** Random bytes, which are an address on Ethereum: nobody was ever paid there. */
  address: v.string(),
  deposit: v.optional(v.object({ id: v.string(), asset: v.string(), amount: v.string() })),
});
/** How far a guided rehearsal has come; the rest is read from what really happened. */
type Progress = v.InferOutput<typeof schema>;
export type ScenarioId = Progress['scenario'];

const KEY = 'countinghouse.rehearsal';
const current = createStore(stored());

// Kept for the tab, so that a reload in the middle of a bad day loses nothing.
function stored(): Progress | null {
  const read = v.safeParse(schema, parseJson(readStored('sessionStorage', KEY)));
  return read.success ? read.output : null;
}

export function setProgress(next: Progress | null): void {
  store('sessionStorage', KEY, next === null ? '' : stringifyExact(next));
  current.set(next);
}

export function useProgress(): Progress | null {
  const { account } = useSandbox();
  const progress = useSyncExternalStore(current.subscribe, current.get);
  return progress?.account === account ? progress : null;
}

export type Rehearsal = ReturnType<typeof useRehearsal>;

const WITHDRAWALS = { kind: 'withdrawal' } as const;

export function useRehearsal(scenario: ScenarioId) {
  const { account, sandbox } = useSandbox();
  const queryClient = useQueryClient();
  // The page of a rehearsal waits for what happens to its withdrawal.
  const { views } = useOperations(WITHDRAWALS, true);
  const kept = useProgress();
  const progress = kept?.scenario === scenario ? kept : null;
  // Newest first: the last of those since then is the first withdrawal that was recorded.
  const since = progress?.since ?? Infinity;
  const seen = views.findLast(({ operation }) => operation.firstSent.service >= since) ?? null;

  async function begin(more: Partial<Progress> = {}): Promise<void> {
    const { now } = await queryClient.fetchQuery(sandboxQueries.state(account, sandbox));
    setProgress({ account, scenario, since: now, address: `0x${hex(randomBytes(20))}`, ...more });
  }
  /** Begins with one fault armed and no other. */
  async function arm(fault: SandboxFault): Promise<void> {
    // What else is armed would be met first.
    await clearFaults(sandbox);
    await armFault(sandbox, fault);
    await begin();
  }
  return { progress, operation: seen?.operation ?? null, seen, begin, arm };
}
