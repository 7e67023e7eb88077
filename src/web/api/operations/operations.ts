import { type QueryClient, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { OperationKind, OperationRequest } from '#src/shared/operations/kind.ts';
import type { OperationState } from '#src/shared/operations/states.ts';
import { segment } from '#src/shared/paths.ts';
import { withParams } from '#src/shared/searchParams.ts';
import { request } from '#src/web/api/query.ts';
import { batchedOperationsSchema } from '#src/shared/contract/batchContract.ts';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { ApiError, errorOfAnswer } from '#src/web/api/errors.ts';
import { OPERATIONS_PATH, REVIEW_PATH } from '#src/shared/serverPaths.ts';
import {
  type ErrorExtras,
  type NotSent,
  type OperationErrorCode,
  type OperationView,
  PRESS_HOLDS_MS,
  type Reviewed,
  errorExtrasSchema,
  notSentSchema,
  operationListSchema,
  operationViewSchema,
  reviewedSchema,
} from '#src/shared/contract/gatewayContract.ts';
import type { GatewayAnswer } from '#src/web/api/gatewayAnswer.ts';
import type { Call } from '#src/web/api/http.ts';
import { parseWith } from '#src/shared/contract/rows.ts';

/** When a response was received, by this page's monotonic clock: the server's clocks are extrapolated from there. */
export interface ReceivedAt {
  receivedMs: number;
}
export type ReceivedView = OperationView & ReceivedAt;
/** The database's clock, ms, and when this page received it. */
export type ReceivedClock = Pick<ReceivedView, 'databaseNow' | 'receivedMs'>;
export type ReceivedReview = Reviewed &
  ReceivedAt & {
    /** By this device's clock, because the monotonic one may stop while the device sleeps. */ at: number;
  };

export interface OperationFilters {
  state?: OperationState | 'open' | undefined;
  kind?: OperationKind | undefined;
  /** Id of a withdrawal, a deposit or a webhook delivery. */
  about?: string | undefined;
}

export class OperationError extends ApiError {
  readonly extras: ErrorExtras;

  constructor(error: ApiError, extras: ErrorExtras) {
    super(error.message, error);
    this.extras = extras;
  }
}

export function isOperationError(error: unknown, ...codes: OperationErrorCode[]): error is OperationError {
  return error instanceof OperationError && codes.some((code) => code === error.code);
}

/** Error text of an action. Only a refusal proves that it was not done. Says nothing about the payment itself. */
export function actionErrorMessage(error: Error): string {
  const isRefused =
    isOperationError(error, 'moved_on', 'not_done', 'read_only', 'key_refused', 'not_permitted', 'too_many') ||
    (error instanceof ApiError && error.kind === 'offline');
  if (isRefused) return `That was not done. ${error.message}`;
  return `${error.message} Whether it was done shows here once the server answers.`;
}

export function operationPath(key: string): string {
  return `${OPERATIONS_PATH}/${segment(key)}`;
}

const always = { retry: false, networkMode: 'always', refetchOnWindowFocus: false } as const;
const PAGE = 50;

export function operationQuery(account: string, key: string) {
  return queryOptions({
    ...always,
    queryKey: [account, 'operations', 'one', key],
    queryFn: ({ signal }) => call({ method: 'GET', path: operationPath(key), account, signal }, parseView),
    staleTime: 0,
  });
}

/** The newest 100 that match; with `state: 'open'` all of them, because there are never many. */
export function operationsQuery(account: string, filters: OperationFilters = {}) {
  return queryOptions({
    ...always,
    queryKey: [...operationLists(account), 'first', filters],
    queryFn: ({ signal }) => listPage({ account, filters, limit: LIMIT_MAX, cursor: null, signal }),
    staleTime: 5_000,
  });
}

export function operationPages(account: string, filters: OperationFilters) {
  return infiniteQueryOptions({
    ...always,
    queryKey: [...operationLists(account), 'pages', filters],
    queryFn: ({ pageParam, signal }) => listPage({ account, filters, limit: PAGE, cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
    staleTime: 5_000,
  });
}

/** All operations, with each batch in place of its payments. */
export function batchedOperationPages(account: string) {
  return infiniteQueryOptions({
    ...always,
    queryKey: [...operationLists(account), 'batched'],
    queryFn: ({ pageParam, signal }) => {
      const query = withParams(new URLSearchParams(), { limit: PAGE, batched: 'true', cursor: pageParam ?? undefined });
      return call({ method: 'GET', path: OPERATIONS_PATH, query, account, signal }, parseBatched);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
    staleTime: 5_000,
  });
}

export function operationLists(account: string): string[] {
  return [account, 'operations', 'lists'];
}

interface ListPage {
  account: string;
  filters: OperationFilters;
  limit: number;
  cursor: string | null;
  signal: AbortSignal;
}

export async function listPage({ account, filters, limit, cursor, signal }: ListPage) {
  const query = withParams(new URLSearchParams(), { limit, ...filters, cursor: cursor ?? undefined });
  const page = await call({ method: 'GET', path: OPERATIONS_PATH, query, account, signal }, parseList);
  return { ...page, data: page.data.map((view) => ({ ...view, receivedMs: page.receivedMs })) };
}

/** What blocks this request or must be confirmed first. Records nothing. */
export async function reviewOperation(
  account: string,
  { kind, path, body }: OperationRequest,
): Promise<ReceivedReview> {
  const requestBody = stringifyExact({ kind, path, body });
  const reviewed = await call({ method: 'POST', path: REVIEW_PATH, body: requestBody, account }, parseReviewed);
  return { ...reviewed, at: Date.now() };
}

/** Whether Send may still rely on a review; by both clocks, as the monotonic one may stop while the device sleeps. */
export function isFresh({ receivedMs, at }: Pick<ReceivedReview, 'receivedMs' | 'at'>): boolean {
  return performance.now() - receivedMs < PRESS_HOLDS_MS && Math.abs(Date.now() - at) < PRESS_HOLDS_MS;
}

/** When a press of Send expires, by the database's clock as extrapolated by this page; whole ms. */
export function holdsUntil({ databaseNow, receivedMs }: ReceivedClock): number {
  return Math.floor(databaseNow + (performance.now() - receivedMs) + PRESS_HOLDS_MS);
}

/** A person's commands to an operation, at the revision they saw. */
export const operationCommands = {
  send: (account: string, view: ReceivedView) =>
    post(account, view.operation.key, 'send', { revision: view.operation.revision, not_after: holdsUntil(view) }),
  check: (account: string, { operation: { key, revision } }: ReceivedView) => post(account, key, 'check', { revision }),
  close: (account: string, { key, revision }: { key: string; revision: number }, reason: string) =>
    post(account, key, 'close', { revision, reason }),
  confirmNotSent: (account: string, { operation: { key, revision } }: ReceivedView, reason: string) =>
    post(account, key, 'not-sent', { revision, reason }),
};

function post(account: string, key: string, command: string, body: object): Promise<ReceivedView> {
  const path = `${operationPath(key)}/${command}`;
  return call({ method: 'POST', path, body: stringifyExact(body), account }, parseView);
}

/** Guarantees that nothing more is sent under a key: discards a ready operation, or marks an unknown key as used. */
export function discardKey(account: string, key: string): Promise<{ view: OperationView } | { notSent: NotSent }> {
  return call({ method: 'DELETE', path: operationPath(key), account }, parseDiscarded);
}

/** Replaces an older view of the operation in the cache, and reloads the lists. */
export function cacheOperation(client: QueryClient, account: string, view: OperationView): void {
  const { queryKey } = operationQuery(account, view.operation.key);
  const before = client.getQueryData(queryKey);
  if (before === undefined || before.operation.revision <= view.operation.revision) {
    // A read under way may return an older revision.
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, { ...view, receivedMs: performance.now() });
  }
  void client.invalidateQueries({ queryKey: operationLists(account) });
}

const parseView = parseWith(operationViewSchema);
const parseList = parseWith(operationListSchema);
const parseBatched = parseWith(batchedOperationsSchema);
const parseReviewed = parseWith(reviewedSchema);
const parseTombstone = parseWith(v.object({ not_sent: notSentSchema }));

function parseDiscarded(json: unknown): { view: OperationView } | { notSent: NotSent } {
  const view = v.safeParse(operationViewSchema, json);
  return view.success ? { view: view.output } : { notSent: parseTombstone(json).not_sent };
}

/** Sends the request once, without retries. */
async function call<T extends object>(what: Call, parse: (json: unknown) => T): Promise<T & ReceivedAt> {
  return { ...(await request(what, parse, operationErrorOf)), receivedMs: performance.now() };
}

/** The error in a response, with the extras that only the dashboard's server adds. */
export function operationErrorOf(answer: GatewayAnswer): ApiError {
  const error = errorOfAnswer(answer);
  if (error.code === null || !answer.complete) return error;
  const extras = v.safeParse(errorExtrasSchema, parseJson(answer.text));
  return new OperationError(error, extras.success ? extras.output : {});
}
