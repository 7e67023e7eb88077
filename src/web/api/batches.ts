import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import {
  type BatchLineView,
  type BatchRequest,
  type BatchReviewed,
  type BatchReviewRequest,
  type BatchSummary,
  batchFaultsSchema,
  batchListSchema,
  batchReviewedSchema,
  type BatchView,
  batchViewSchema,
  BATCHES_PATH,
} from '#src/shared/contract/batchContract.ts';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { parseWith, type WithdrawalRow } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { withParams } from '#src/shared/searchParams.ts';
import { ApiError, errorOfAnswer, outcomeUnknown, saysNotFound } from './errors.ts';
import type { GatewayAnswer } from './gatewayAnswer.ts';
import { listWithdrawals } from './listQueries.ts';
import { holdsUntil } from './operations/operations.ts';
import { walkPages } from './paging/paging.ts';
import { POLLED } from './polled.ts';
import { read, request } from './query.ts';
import { useSession } from './session.ts';

const POLL_MS = 1_000;
/** A colleague, or another tab, may start or continue a batch. */
const RESTING_MS = 15_000;
/** Each review reads the provider's list of withdrawals. */
const REVIEW_POLL_MS = 60_000;

/** When a response was received, by this page's monotonic clock. */
interface ReceivedAt {
  receivedMs: number;
}
export type ReceivedBatch = BatchView & ReceivedAt;
export type ReceivedBatchReview = BatchReviewed &
  ReceivedAt & {
    /** By this device's clock, because the monotonic one may stop while the device sleeps. */ at: number;
  };

const extrasSchema = v.partial(
  v.object({
    ...batchFaultsSchema.entries,
    same: batchReviewedSchema.entries.same,
    lines: batchReviewedSchema.entries.lines,
    view: batchViewSchema,
  }),
);
type BatchErrorExtras = v.InferOutput<typeof extrasSchema>;

/** A refusal by the dashboard's server, with the details that only this server adds. */
export class BatchError extends ApiError {
  readonly extras: BatchErrorExtras;

  constructor(error: ApiError, extras: BatchErrorExtras) {
    super(error.message, error);
    this.extras = extras;
  }
}

function refusalOf(answer: GatewayAnswer): ApiError {
  const error = errorOfAnswer(answer);
  if (error.code === null || !answer.complete) return error;
  const extras = v.safeParse(extrasSchema, parseJson(answer.text));
  return new BatchError(error, extras.success ? extras.output : {});
}

function batchPath(id: string, below = ''): string {
  return `${BATCHES_PATH}/${segment(id)}${below}`;
}

/** Link that downloads the file exactly as it was uploaded. */
export function batchFilePath(id: string): string {
  return batchPath(id, '/file');
}

const received = <T extends object>(data: T): T & ReceivedAt => ({ ...data, receivedMs: performance.now() });

function lists(account: string): string[] {
  return [account, 'batches', 'list'];
}

/** Newest first. */
export function batchPages(account: string) {
  return infiniteQueryOptions({
    queryKey: lists(account),
    queryFn: async ({ pageParam, signal }) => {
      const query = withParams(new URLSearchParams(), { cursor: pageParam ?? undefined });
      return (await read(BATCHES_PATH, query, parseWith(batchListSchema), { account, signal })).data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
    staleTime: 5_000,
    refetchInterval: ({ state }) => {
      const areMoving = state.data?.pages.some(({ data }) => data.some(isMovingBatch));
      return areMoving ? POLL_MS : false;
    },
    ...POLLED,
  });
}

/** Still true after Stop, until the payment that was being sent has ended. */
export function isMovingBatch({ state, counts }: BatchSummary): boolean {
  return state === 'running' || (counts['sending'] ?? 0) > 0;
}

export function batchQuery(account: string, id: string) {
  return queryOptions({
    queryKey: [account, 'batches', 'one', id],
    queryFn: async ({ signal }) =>
      received((await read(batchPath(id), undefined, parseWith(batchViewSchema), { account, signal })).data),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state: { data } }) => (data && isMovingBatch(data.batch) ? POLL_MS : RESTING_MS),
    ...POLLED,
  });
}

/** Checks the payments for problems and duplicates. Records nothing. */
export async function reviewBatch(account: string, input: BatchReviewRequest): Promise<ReceivedBatchReview> {
  const call = { method: 'POST', path: `${BATCHES_PATH}/review`, body: stringifyExact(input), account } as const;
  return { ...received(await request(call, parseWith(batchReviewedSchema), refusalOf)), at: Date.now() };
}

/**
 * The review of a recorded batch, repeated while it is shown and when the batch changes. The number of waiting payments is in
 * the key because excluding a payment may leave the batch's revision as it is.
 */
export function recordedReviewQuery(account: string, { batch, lines }: ReceivedBatch) {
  const waitingCount = lines.filter(({ state }) => state === 'awaiting').length;
  return queryOptions({
    queryKey: [account, 'batches', 'review', batch.id, batch.revision, waitingCount],
    queryFn: async ({ signal }): Promise<ReceivedBatchReview> => {
      const path = batchPath(batch.id, '/review');
      const { data } = await read(path, undefined, parseWith(batchReviewedSchema), { account, signal });
      return { ...received(data), at: Date.now() };
    },
    staleTime: RESTING_MS,
    refetchInterval: REVIEW_POLL_MS,
    ...POLLED,
  });
}

const parseView = parseWith(batchViewSchema);

/** The recorded batch; null if there is none with this id. Throws ApiError. */
export async function recordedBatch(account: string, id: string): Promise<ReceivedBatch | null> {
  try {
    return received((await read(batchPath(id), undefined, parseView, { account })).data);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404 && error.code !== null) return null;
    throw error;
  }
}

/**
 * Records a batch. If the response is lost, reads the batch back, and throws an unknown outcome only if that finds nothing
 * either. Calling it again with the same id is safe.
 */
export async function recordBatch(
  account: string,
  id: string,
  input: Omit<BatchRequest, 'not_after'>,
  review: ReceivedBatchReview,
): Promise<ReceivedBatch> {
  const body = stringifyExact({
    ...input,
    not_after: holdsUntil({ databaseNow: review.now, receivedMs: review.receivedMs }),
  });
  try {
    return received(await request({ method: 'PUT', path: batchPath(id), body, account }, parseView, refusalOf));
  } catch (error) {
    if (!outcomeUnknown(error)) throw error;
    const recorded = await recordedBatch(account, id).catch(() => null);
    if (recorded === null) throw error;
    return recorded;
  }
}

export type BatchCommand = 'start' | 'stop' | 'withdraw' | { exclude: number };

/** Returns the batch afterwards. If the response is lost, reads the batch to see whether the command was carried out. */
export async function commandBatch(
  account: string,
  view: ReceivedBatch,
  command: BatchCommand,
): Promise<ReceivedBatch> {
  const { id, revision } = view.batch;
  const isExclusion = typeof command === 'object';
  const sent = isExclusion
    ? { line: command.exclude }
    : { revision, not_after: holdsUntil({ databaseNow: view.now, receivedMs: view.receivedMs }) };
  const path = batchPath(id, `/${isExclusion ? 'exclude' : command}`);
  try {
    return received(await request({ method: 'POST', path, body: stringifyExact(sent), account }, parseView, refusalOf));
  } catch (error) {
    if (!outcomeUnknown(error)) throw error;
    const now = await recordedBatch(account, id).catch(() => null);
    if (now === null || !isDone(command, view, now)) throw error;
    return now;
  }
}

function isDone(command: BatchCommand, before: ReceivedBatch, { batch, lines }: ReceivedBatch): boolean {
  if (command === 'start') return batch.revision !== before.batch.revision;
  if (command === 'stop') return batch.state !== 'running';
  const left = lines.filter(({ state }) => state === 'awaiting');
  return command === 'withdraw' ? left.length === 0 : !left.some(({ line }) => line === command.exclude);
}

/** A person's command to the batch they see. */
export function useBatchCommand(view: ReceivedBatch | undefined) {
  const { account } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (command: BatchCommand) => {
      if (view === undefined) throw new Error('There is no batch to do this to.');
      try {
        await cacheBatch(client, account, await commandBatch(account, view, command));
      } catch (error) {
        const now = error instanceof BatchError ? error.extras.view : undefined;
        if (now) await cacheBatch(client, account, received(now));
        else void client.invalidateQueries({ queryKey: [account, 'batches'] });
        throw error;
      }
    },
    gcTime: 0,
  });
}

/** Replaces an older view in the cache, and reloads the lists. */
export async function cacheBatch(client: QueryClient, account: string, view: ReceivedBatch): Promise<void> {
  const { queryKey } = batchQuery(account, view.batch.id);
  // An older response must not replace it.
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, view);
  void client.invalidateQueries({ queryKey: lists(account) });
  void client.invalidateQueries({ queryKey: [account, 'batches', 'newest'] });
  void client.invalidateQueries({ queryKey: [account, 'batches', 'paused'] });
  void client.invalidateQueries({ queryKey: [account, 'operations'] });
}

/** All paused batches, however old: each waits for a person. */
export function pausedBatchesQuery(account: string) {
  return queryOptions({
    queryKey: [account, 'batches', 'paused'],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ state: 'paused' });
      return (await read(BATCHES_PATH, query, parseWith(batchListSchema), { account, signal })).data.data;
    },
    staleTime: 5_000,
    refetchInterval: RESTING_MS,
    ...POLLED,
  });
}

const NONE: readonly BatchSummary[] = [];

/** Used on every page; empty until loaded. */
export function useNewestBatches(): readonly BatchSummary[] {
  const { account } = useSession();
  const { data } = useQuery({
    queryKey: [account, 'batches', 'newest'],
    queryFn: async ({ signal }) =>
      (await read(BATCHES_PATH, undefined, parseWith(batchListSchema), { account, signal })).data.data,
    staleTime: RESTING_MS,
    refetchInterval: ({ state }) => (state.data?.some(isMovingBatch) ? POLL_MS : false),
    ...POLLED,
  });
  return data ?? NONE;
}

const DAY_SECONDS = 86_400;

/**
 * The provider's withdrawals of a batch, read from its list back to the time of the batch; `isWhole`: all of them were
 * found, or the list was read that far. Null if the provider doesn't list withdrawals.
 */
export async function withdrawalsOfBatch(
  account: string,
  { batch, lines }: { batch: { at: number }; lines: readonly BatchLineView[] },
): Promise<{ rows: WithdrawalRow[]; isWhole: boolean } | null> {
  const missing = new Set(lines.flatMap(({ withdrawal }) => withdrawal ?? []));
  const rows: WithdrawalRow[] = [];
  if (missing.size === 0) return { rows, isWhole: true };
  // The batch's time is not by the provider's clock, so leave a day's margin.
  const since = batch.at / 1000 - DAY_SECONDS;
  try {
    const end = await walkPages(
      (cursor) => listWithdrawals({}, cursor, { limit: LIMIT_MAX, account }),
      ({ data }) => {
        for (const row of data) if (missing.delete(row.id)) rows.push(row);
        const isOlder = data.some(({ created_at: at }) => typeof at === 'number' && at < since);
        return missing.size === 0 || isOlder ? 'enough' : undefined;
      },
    );
    return { rows, isWhole: missing.size === 0 || end.kind === 'enough' || end.kind === 'end' };
  } catch (error) {
    if (saysNotFound(error)) return null;
    throw error;
  }
}
