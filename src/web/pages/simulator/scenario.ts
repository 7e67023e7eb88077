import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import * as v from 'valibot';
import {
  advanceClock,
  armFault,
  clearFaults,
  receiveDeposit,
  type SandboxFault,
  sandboxQueries,
} from '#src/web/api/sandboxControls.ts';
import { useOperationCommands, useOperations } from '#src/web/api/operations/useOperations.ts';
import { useNewestBatches } from '#src/web/api/batches.ts';
import { lineKey } from '#src/shared/contract/batchContract.ts';
import { parseJson } from '#src/shared/answers.ts';
import { useOpenedRows } from '#src/web/list/rows/loadedRows.ts';
import { readStored, store } from '#src/web/storage/browserStorage.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { hex, randomBytes } from '#src/shared/operations/random.ts';
import { createStore } from '#src/web/ui/store.ts';
import { processedWords, useSandbox } from './control.tsx';

const progressSchema = v.object({
  account: v.string(),
  scenario: v.picklist(['lost-answer', 'slow', 'late-payment', 'too-late', 'batch-pauses']),
  /** The account's clock at the start, Unix seconds. */
  since: v.number(),
  /** Random bytes: a valid Ethereum address that has never been paid. */
  address: v.string(),
  deposit: v.optional(v.object({ id: v.string(), asset: v.string(), amount: v.string() })),
});
/** The stored state of a started scenario. Which steps are done is decided from what really happened. */
type Progress = v.InferOutput<typeof progressSchema>;
export type ScenarioId = Progress['scenario'];

const STORAGE_KEY = 'countinghouse.rehearsal';
const progressStore = createStore(readStoredProgress());

// In session storage, so that a scenario survives a reload.
function readStoredProgress(): Progress | null {
  const stored = v.safeParse(progressSchema, parseJson(readStored('sessionStorage', STORAGE_KEY)));
  return stored.success ? stored.output : null;
}

export function setProgress(next: Progress | null): void {
  store('sessionStorage', STORAGE_KEY, next === null ? '' : stringifyExact(next));
  progressStore.set(next);
}

export function useProgress(): Progress | null {
  const { account } = useSandbox();
  const progress = useSyncExternalStore(progressStore.subscribe, progressStore.get);
  return progress?.account === account ? progress : null;
}

export type ScenarioFacts = ReturnType<typeof useScenario>['facts'];
export type ScenarioCommands = ReturnType<typeof useScenario>['commands'];

const WITHDRAWALS = { kind: 'withdrawal' } as const;
/** Line of the second payment of the batch file, whose line 1 has the column names. */
export const FAILING_LINE = 3;

/** What happened in a scenario so far, and what its steps can do. */
export function useScenario(scenario: ScenarioId) {
  const { account, sandbox } = useSandbox();
  const queryClient = useQueryClient();
  const openedRows = useOpenedRows();
  const { data: state } = useQuery(sandboxQueries.state(account, sandbox));
  // The second argument polls while the page is open.
  const { views } = useOperations(WITHDRAWALS, true);
  const latest = useProgress();
  const progress = latest?.scenario === scenario ? latest : null;
  const since = progress?.since ?? Infinity;
  const batch = useNewestBatches().findLast(({ at }) => Math.floor(at / 1_000) >= since) ?? null;
  // Newest first, so the last one since the start is the scenario's withdrawal.
  const view =
    views.findLast(({ operation }) =>
      scenario === 'batch-pauses'
        ? batch !== null && operation.key === lineKey(batch.id, FAILING_LINE)
        : operation.firstSent.service >= since,
    ) ?? null;
  const { check } = useOperationCommands(view);
  const operation = view?.operation ?? null;
  const deposit = progress?.deposit;

  const begin = async (more: Partial<Progress> = {}) => {
    const { now } = await queryClient.fetchQuery(sandboxQueries.state(account, sandbox));
    setProgress({ account, scenario, since: now, address: `0x${hex(randomBytes(20))}`, ...more });
  };
  return {
    facts: {
      progress,
      operation,
      batch,
      secondsSinceSent: operation && state ? state.now - operation.firstSent.service : 0,
      depositOpened: deposit !== undefined && openedRows.has(deposit.id),
      depositSettled:
        deposit !== undefined && state !== undefined && !state.deposits.some(({ id }) => id === deposit.id),
    },
    commands: {
      startWithFaults: async (faults: readonly SandboxFault[]) => {
        // An earlier failure would apply first.
        await clearFaults(sandbox);
        for (const fault of faults) await armFault(sandbox, fault);
        await begin();
      },
      startWithDeposit: async (payment: Record<'asset' | 'chain' | 'amount' | 'status', string>) => {
        const { id } = await receiveDeposit(sandbox, payment);
        await begin({ deposit: { id, asset: payment.asset, amount: payment.amount } });
      },
      /** Returns what fell due, in words. */
      advance: async (seconds: number): Promise<string> => {
        const { fell_due } = await advanceClock(sandbox, seconds);
        return processedWords(fell_due);
      },
      /** A read, which tells our server the account's new time. */
      checkOperation: () => check.mutateAsync().catch(() => undefined),
    },
  };
}
