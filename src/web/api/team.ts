import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { POLLED } from './polled.ts';
import {
  type Collection,
  type TeamItem,
  type TeamValue,
  ADD_MAX,
  anyItemSchema,
  COLLECTIONS,
  TEAM_PATH,
  teamErrorExtrasSchema,
  teamListSchema,
} from '#src/shared/contract/teamContract.ts';
import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import { JOBS_PATH } from '#src/shared/contract/jobsContract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { segment } from '#src/shared/paths.ts';
import { ApiError, errorOfAnswer, outcomeUnknown } from './errors.ts';
import type { GatewayAnswer } from './gatewayAnswer.ts';
import type { Call } from './http.ts';
import { BrokenPaging } from './paging/paging.ts';
import { wait } from './paging/rateLimitPause.ts';
import { type ReadOptions, read, request } from './query.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { useSession } from './session.ts';

export const LOOK_MS = 15_000;

export function teamQuery<C extends Collection>(account: string, collection: C) {
  return queryOptions({
    queryKey: teamKey(account, collection),
    queryFn: ({ client, signal }): Promise<TeamItems<TeamValue<C>>> => {
      const before = client.getQueryData<TeamItems<TeamValue<C>>>(teamKey(account, collection));
      return loadItems(collection, before, { account, signal });
    },
    staleTime: LOOK_MS / 3,
  });
}

export function teamKey(account: string, collection: Collection): string[] {
  return [account, 'team', collection];
}

export function useTeam<C extends Collection>(collection: C, enabled = true) {
  const { account } = useSession();
  return useQuery({ ...teamQuery(account, collection), enabled, ...POLLED, refetchInterval: LOOK_MS });
}

/** Writes one item; rejects with EditConflictError, and shows the colleague's version, when a colleague was faster. */
export function useTeamChange<C extends Collection>(collection: C) {
  const { account } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: TeamChange<C>) => changeItem(account, collection, change),
    onSuccess: (item) => keepItem(client, account, collection, item),
    onError: (error) => showColleagues(client, account, collection, error),
  });
}

/** A colleague may have changed them. */
export async function reloadItems(client: QueryClient, account: string, collection: Collection): Promise<void> {
  await client.invalidateQueries({ queryKey: teamKey(account, collection) });
}

/**
 * Closes the period that a job prepared, from the reading that the person saw. `rates`: the bytes of the rate file. May be
 * repeated if the response was lost. Rejects with EditConflictError if a colleague was faster.
 */
export async function closePeriod(
  account: string,
  { id, sha256 }: { id: string; sha256: string },
  rates: Uint8Array | null,
): Promise<TeamItem<ClosedPeriod>> {
  const body = stringifyExact({ sha256, rates: rates && toBase64(rates) });
  const call = { method: 'POST' as const, path: `${JOBS_PATH}/${segment(id)}/close`, body, account };
  try {
    return await send(call, itemOf('closed-periods'), 'closed-periods');
  } catch (error) {
    // No colleague's version was returned, so this isn't a conflict with one: the month has to be read again.
    throw error instanceof EditConflictError && error.item === null ? new ApiError(error.message, error) : error;
  }
}

/** Bytes per call of String.fromCharCode; a multiple of 3, so that the pieces can be joined. */
const ENCODED = 3 << 13;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += ENCODED)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + ENCODED)));
  return text;
}

/** Link that downloads the ZIP of a closed period. */
export function closedFilePath(closing: string): string {
  return `${TEAM_PATH}/closed-periods/${closing}/file`;
}

/** Updates the cache at once with the change, or with the colleague's version that prevented it. */
export async function showColleagues(
  client: QueryClient,
  account: string,
  collection: Collection,
  error: unknown,
): Promise<void> {
  if (error instanceof EditConflictError || outcomeUnknown(error))
    await client.invalidateQueries({ queryKey: teamKey(account, collection) });
}

export async function keepItem<C extends Collection>(
  client: QueryClient,
  account: string,
  collection: C,
  ...items: TeamItem<TeamValue<C>>[]
): Promise<void> {
  const queryKey = teamKey(account, collection);
  // A load under way may bring the state before the change.
  await client.cancelQueries({ queryKey });
  client.setQueryData<TeamItems<TeamValue<C>>>(queryKey, (before) => before && merged(before, items));
  for (const item of items) {
    client.setQueryData(teamItemQuery(account, collection, item.id).queryKey, item.deleted ? null : item);
  }
  void client.invalidateQueries({ queryKey });
}

export function teamItemQuery<C extends Collection>(account: string, collection: C, id: string) {
  return queryOptions({
    queryKey: [...teamKey(account, collection), id],
    queryFn: ({ signal }) => findItem(collection, id, { account, signal }),
  });
}

/** A change was refused because a colleague had changed the item. Nothing was saved. */
export class EditConflictError<T> extends ApiError {
  /** The current item; null: removed. */
  readonly item: TeamItem<T> | null;

  constructor(error: ApiError, item: TeamItem<T> | null) {
    super(error.message, error);
    this.item = item?.deleted ? null : item;
  }
}

export interface TeamItems<T> {
  items: readonly TeamItem<T>[];
  /** Items of another version, which this one can't show. */
  unreadable: number;
  /** The next load asks only for changes after it. */
  position: string;
}

interface TeamChange<C extends Collection> {
  id: string;
  /** null: remove it. */
  value: TeamValue<C> | null;
  /** Revision that the person saw; 0 for a new item. */
  revision: number;
}

export async function changeItem<C extends Collection>(
  account: string,
  collection: C,
  { id, value, revision }: TeamChange<C>,
): Promise<TeamItem<TeamValue<C>>> {
  const path = `${TEAM_PATH}/${collection}/${segment(id)}`;
  const call: Call =
    value === null
      ? { method: 'DELETE', path, query: new URLSearchParams({ revision: String(revision) }), account }
      : { method: 'PUT', path, body: stringifyExact({ value, revision }), account };
  return send(call, itemOf(collection), collection);
}

/** Adds items that are not there yet; returns those added. */
export async function addItems<C extends Collection>(
  account: string,
  collection: C,
  values: readonly TeamValue<C>[],
): Promise<TeamItem<TeamValue<C>>[]> {
  const added: TeamItem<TeamValue<C>>[] = [];
  for (let at = 0; at < values.length; at += ADD_MAX) {
    const body = stringifyExact({ values: values.slice(at, at + ADD_MAX) });
    const call = { method: 'POST' as const, path: `${TEAM_PATH}/${collection}`, body, account };
    const { data } = await whenAllowed(() => send(call, parseWith(teamListSchema), collection));
    added.push(...data.map(itemOf(collection)));
  }
  return added;
}

/** Longer than the server's quota per minute needs to reset; after that the person decides. */
const WAIT_MAX_MS = 3 * 60_000;
const WAIT_DEFAULT_SECONDS = 5;

/** For many writes: waits and tries again while the account's quota per minute is used up. A refused write saved nothing. */
export async function whenAllowed<T>(write: () => Promise<T>): Promise<T> {
  const since = performance.now();
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const isOver = performance.now() - since > WAIT_MAX_MS;
      if (!(error instanceof ApiError) || error.code !== 'too_many' || isOver) throw error;
      await wait((error.retryAfterSeconds ?? WAIT_DEFAULT_SECONDS) * 1_000, undefined);
    }
  }
}

/** One item, or null. Asked as a list: a 404 would show as an error in the browser's console. */
export async function findItem<C extends Collection>(
  collection: C,
  id: string,
  options: ReadOptions,
): Promise<TeamItem<TeamValue<C>> | null> {
  const query = new URLSearchParams({ id });
  const { data: page } = await read(`${TEAM_PATH}/${collection}`, query, parseWith(teamListSchema), options);
  const [item] = page.data;
  return item === undefined ? null : itemOf(collection)(item);
}

export async function loadItems<C extends Collection>(
  collection: C,
  before: TeamItems<TeamValue<C>> | undefined,
  options: ReadOptions,
): Promise<TeamItems<TeamValue<C>>> {
  const query = new URLSearchParams();
  if (before !== undefined && before.unreadable === 0) query.set('updated_after', before.position);
  let items: TeamItems<TeamValue<C>> = { items: [], unreadable: 0, position: '' };
  let isFirst = true;
  const end = await followPages(readItems, (page) => {
    if (isFirst) items = { ...((!page.complete && before) || items), position: page.position };
    isFirst = false;
    const parsed = page.data
      .map((item) => v.safeParse(anyItemSchema, item))
      .flatMap((item) => (item.success ? [item.output] : []));
    const readable = parsed.flatMap((item) => readableOf(collection, item));
    items = { ...merged(items, readable), unreadable: items.unreadable + page.data.length - readable.length };
    return undefined;
  });
  if (end.kind !== 'end') throw new BrokenPaging('The server’s list couldn’t be read to its end.');
  return items;

  async function readItems(cursor: string | null) {
    if (cursor !== null) query.set('cursor', cursor);
    const { data } = await read(`${TEAM_PATH}/${collection}`, query, parseWith(teamListSchema), options);
    return data;
  }
}

function merged<T>(before: TeamItems<T>, changed: readonly TeamItem<T>[]): TeamItems<T> {
  if (changed.length === 0) return before;
  const byId = new Map(before.items.map((item) => [item.id, item]));
  for (const item of changed) {
    if ((byId.get(item.id)?.revision ?? 0) > item.revision) continue;
    if (item.deleted) byId.delete(item.id);
    else byId.set(item.id, item);
  }
  return { ...before, items: [...byId.values()] };
}

function readableOf<C extends Collection>(collection: C, item: TeamItem<unknown>): TeamItem<TeamValue<C>>[] {
  const value = v.safeParse(COLLECTIONS[collection].value, item.value);
  return value.success ? [{ ...item, value: value.output }] : [];
}

function itemOf<C extends Collection>(collection: C): (json: unknown) => TeamItem<TeamValue<C>> {
  return (json) => {
    const [item] = readableOf(collection, parseWith(anyItemSchema)(json));
    if (!item) throw new TypeError('"value" is missing or of another kind');
    return item;
  };
}

async function send<T>(call: Call, parse: (json: unknown) => T, collection: Collection): Promise<T> {
  return request(call, parse, (answer) => refusalOf(answer, collection));
}

function refusalOf(answer: GatewayAnswer, collection: Collection): ApiError {
  const error = errorOfAnswer(answer);
  if (answer.status !== 409 || error.code !== 'moved_on') return error;
  const { item } = v.parse(teamErrorExtrasSchema, parseJson(answer.text));
  return new EditConflictError(error, item ? (readableOf(collection, item)[0] ?? null) : null);
}
