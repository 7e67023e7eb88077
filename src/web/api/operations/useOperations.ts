import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Recorded } from '#src/shared/operations/paymentHistory.ts';
import { isJustSaved } from '#src/shared/operations/unsettled.ts';
import type { OperationView, UnreadableOperation } from '#src/shared/contract/gatewayContract.ts';
import {
  type OperationFilters,
  OperationError,
  type ReceivedView,
  discardKey,
  isOperationError,
  cacheOperation,
  operationLists,
  operationCommands,
  operationQuery,
  operationsQuery,
} from './operations.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { useSession } from '#src/web/api/session.ts';
import { concludeStart, discardPendingStart } from './pendingStarts.ts';
import { tombstone } from './recordOperation.ts';

/** Polling intervals: while something changes, and otherwise. */
const MOVING_MS = 1_000;
const RESTING_MS = 15_000;

export function isMoving(view: OperationView): boolean {
  return view.underWay || view.waiting || view.asleepUntil !== null || isJustSaved(view);
}

/** For lists that are loaded page by page. */
export function areMoving(list: { pages: readonly { data: readonly OperationView[] }[] } | undefined): boolean {
  return list?.pages.some(({ data }) => data.some(isMoving)) ?? false;
}

/** How often operations are read again: often while one of them moves. */
export function paceOf(moving: boolean): number {
  return moving ? MOVING_MS : RESTING_MS;
}

export interface OperationPages extends Recorded {
  views: readonly ReceivedView[];
  unreadable: readonly UnreadableOperation[];
  setBack: boolean;
  more: boolean;
}

/** The newest operations that match. `paced`: this component polls, because no other one does. */
export function useOperations(filters: OperationFilters = {}, paced = false): OperationPages {
  const options = operationsQuery(useSession().account, filters);
  const { data, error, isPending } = useQuery({
    ...options,
    ...(paced && POLLED),
    refetchInterval: ({ state }) => paced && paceOf(state.data?.data.some(isMoving) ?? false),
  });
  return useMemo((): OperationPages => {
    const views = data?.data ?? [];
    return {
      status: data ? 'ready' : isPending ? 'loading' : 'unavailable',
      ...(error === null ? {} : { reason: error.message }),
      views,
      operations: views.map(({ operation }) => operation),
      approved: approvedIn(views),
      unreadable: data?.unreadable ?? [],
      setBack: data?.set_back ?? false,
      more: data?.has_more ?? false,
    };
  }, [data, error, isPending]);
}

export const OPEN: OperationFilters = { state: 'open' };

export function useOpenOperations(paced = false): OperationPages {
  return useOperations(OPEN, paced);
}

/** Operations that may concern a withdrawal or deposit: those with its id, the open ones, and the newest. */
export function useOperationsAbout(id: string): OperationPages {
  const about = useOperations(useMemo(() => ({ about: id }), [id]));
  const open = useOpenOperations();
  const newest = useOperations();
  return useMemo(() => merged([about, open, newest]), [about, open, newest]);
}

function approvedIn(views: readonly OperationView[]): ReadonlyMap<string, OperationView['approved']> {
  return new Map(views.map(({ operation, approved }) => [operation.key, approved]));
}

function merged(reads: readonly OperationPages[]): OperationPages {
  const views = new Map(reads.flatMap((read) => read.views.map((view) => [view.operation.key, view] as const)));
  const sorted = [...views.values()].sort((a, b) => b.operation.firstSent.server - a.operation.firstSent.server);
  const reason = reads.find((read) => read.reason !== undefined)?.reason;
  const statuses = new Set(reads.map(({ status }) => status));
  return {
    status: statuses.has('loading') ? 'loading' : statuses.has('unavailable') ? 'unavailable' : 'ready',
    ...(reason === undefined ? {} : { reason }),
    views: sorted,
    operations: sorted.map(({ operation }) => operation),
    approved: approvedIn(sorted),
    unreadable: [],
    setBack: reads.some(({ setBack }) => setBack),
    more: reads.some(({ more }) => more),
  };
}

/** One operation, polled. `wanted` is false while its request is still on its way to the server. */
export function useOperation(key: string, wanted = true): UseQueryResult<ReceivedView> {
  const client = useQueryClient();
  const { account } = useSession();
  const options = operationQuery(account, key);
  const query = useQuery({
    ...options,
    enabled: wanted,
    ...POLLED,
    // A record that doesn't exist yet may arrive soon.
    refetchInterval: ({ state: { data, error } }) =>
      paceOf(data ? isMoving(data) : isOperationError(error, 'not_recorded')),
  });
  const { data } = query;
  const revision = data?.operation.revision;
  const lastRevision = useRef(revision);
  useEffect(() => {
    if (lastRevision.current !== undefined && revision !== undefined && lastRevision.current !== revision) {
      // So that the lists and the banner show the change at once.
      void client.invalidateQueries({ queryKey: operationLists(account) });
    }
    lastRevision.current = revision;
  }, [client, account, revision]);
  return query;
}

export type OperationCommand<Words = void> = UseMutationResult<unknown, Error, Words>;

export interface OperationCommands {
  /** Sends it, or sends it again under the same key. */
  send: OperationCommand;
  check: OperationCommand;
  discard: OperationCommand;
  close: OperationCommand<string>;
  confirmNotSent: OperationCommand<string>;
}

/** Commands to the operation in `view`, whose `allowed` says which are possible; null before it is loaded. */
export function useOperationCommands(view: ReceivedView | null): OperationCommands {
  const { account } = useSession();
  const write = useOperationWrite(account);
  const loaded = (): ReceivedView => {
    if (view === null) throw new Error('There is no operation to do this to.');
    return view;
  };
  return {
    send: useCommand(() => write(() => operationCommands.send(account, loaded()))),
    check: useCommand(() => write(() => operationCommands.check(account, loaded()))),
    discard: useDiscard(view?.operation.key ?? ''),
    close: useCommand((words: string) => write(() => operationCommands.close(account, loaded().operation, words))),
    confirmNotSent: useCommand((words: string) =>
      write(() => operationCommands.confirmNotSent(account, loaded(), words)),
    ),
  };
}

/** Guarantees that nothing is sent under a key. */
export function useDiscard(key: string): OperationCommand {
  const { account } = useSession();
  const client = useQueryClient();
  const write = useOperationWrite(account);
  return useCommand(() =>
    write(async () => {
      discardPendingStart(key);
      const answer = await discardKey(account, key);
      if ('view' in answer) return answer.view;
      concludeStart(key, tombstone(answer.notSent));
      await client.invalidateQueries({ queryKey: operationQuery(account, key).queryKey });
      return null;
    }),
  );
}

/** Closes a row that cannot be read, with a typed reason. */
export function useCloseUnreadable(key: string): OperationCommand<string> {
  const { account } = useSession();
  const client = useQueryClient();
  return useCommand(async (words: string) => {
    try {
      await operationCommands.close(account, { key, revision: 0 }, words);
    } catch (error) {
      // A closed row is still unreadable, so success is reported by this error.
      const isClosed = isOperationError(error, 'unreadable') && error.extras.unreadable?.closed != null;
      if (!isClosed) throw error;
    } finally {
      await client.invalidateQueries({ queryKey: [account, 'operations'] });
    }
  });
}

/** Runs a write and caches the operation in its response, also in that of a refusal. */
function useOperationWrite(account: string) {
  const client = useQueryClient();
  const keep = (view: OperationView): void => {
    cacheOperation(client, account, view);
    concludeStart(view.operation.key, { kind: 'recorded', view });
  };
  return async (write: () => Promise<OperationView | null>): Promise<void> => {
    try {
      const view = await write();
      if (view) keep(view);
    } catch (error) {
      const view = error instanceof OperationError ? error.extras.view : undefined;
      if (view) keep(view);
      // Without a response, anything may have changed.
      else void client.invalidateQueries({ queryKey: [account, 'operations'] });
      throw error;
    }
  };
}

function useCommand<Words = void>(command: (words: Words) => Promise<void>): OperationCommand<Words> {
  return useMutation({ mutationFn: command, gcTime: 0 });
}
