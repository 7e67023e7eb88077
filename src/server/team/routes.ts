import * as v from 'valibot';
import {
  addSchema,
  COLLECTIONS,
  type Collection,
  type DepositAddress,
  isItemId,
  ITEM_BYTES_MAX,
  ITEMS_MAX,
  putSchema,
  TEAM_PATH,
  type TeamErrorCode,
} from '#src/shared/contract/teamContract.ts';
import { createWriteQuota, WRITES_A_MINUTE } from '#src/server/operations/writeQuota.ts';
import { parseJson } from '#src/shared/answers.ts';
import { segmentsBelow } from '#src/shared/paths.ts';
import { parseExact, stringifyExact } from '#src/shared/json/exactJson.ts';
import { JSON_DEPTH_MAX, isDeeper } from '#src/shared/json/jsonObject.ts';
import type { Listed, StoredItem } from './items.ts';
import type { Owner } from './owner.ts';
import type { MadeAddress, Team, Written } from './team.ts';

export interface TeamRequest {
  method: string;
  /** As it stands in the URL. */
  pathname: string;
  query: URLSearchParams;
  body: string;
}

export interface TeamActor extends Owner {
  /** The name given at sign-in; nobody proved it. */
  who: string | null;
  readOnly: boolean;
}

export interface TeamAnswer {
  status: number;
  /** JSON. */
  text: string;
  /** Seconds. */
  retryAfter?: number;
}

const PAGE = 500;
const RETRY_SECONDS = 5;
/** What a list's next_cursor looks like: a position that fits the database's numbers. */
const CURSOR = /^\d{1,18}$/;
/** Written one by one, and never changed or removed. */
const CLOSED: ReadonlySet<Collection> = new Set(['closed-periods', 'closed-period-parts']);

/**
 * /api/team (api/teamContract.ts): requests become answers, whoever carries them; `report` hears why the database failed.
 * `mono`: milliseconds that only go on.
 */
export function createTeamRoutes(
  team: Team,
  requestId: () => string,
  report: (error: unknown) => void,
  mono: () => number,
) {
  const quota = createWriteQuota();
  return async (request: TeamRequest, actor: TeamActor): Promise<TeamAnswer> => {
    try {
      return await route(request, actor);
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
      report(error);
      return refuse(503, 'not_ready', 'The database cannot be reached now. Whether this was saved is not known.');
    }
  };

  async function route(request: TeamRequest, actor: TeamActor): Promise<TeamAnswer> {
    const { method, query } = request;
    const [collection = '', id, ...more] = segmentsBelow(TEAM_PATH, request.pathname);
    if (!isCollection(collection) || more.length > 0) return refuse(404, 'not_found', 'There is nothing at this path.');
    if (id !== undefined && !isItemId(id)) return refuse(404, 'not_found', 'There is no such item.');
    if (method !== 'GET' && actor.readOnly)
      return refuse(403, 'read_only', 'This server is read-only. Nothing was saved.');
    if (method !== 'GET' && !quota(actor.account, mono())) {
      const message = `More than ${WRITES_A_MINUTE} changes a minute. Nothing was saved.`;
      return { ...refuse(429, 'too_many', message), retryAfter: RETRY_SECONDS };
    }
    const cursor = query.get('cursor');
    if (cursor !== null && !CURSOR.test(cursor))
      return refuse(422, 'invalid_request_error', 'cursor: must be the next_cursor of the page before.');
    const json = method === 'GET' ? undefined : parseJson(request.body);
    if (isDeeper(json))
      return refuse(
        422,
        'invalid_request_error',
        `This is nested deeper than ${JSON_DEPTH_MAX} levels. Nothing was saved.`,
      );
    if (id === undefined) {
      if (method === 'GET')
        return collection === 'deposit-addresses' ? made(actor, query) : list(actor, collection, query);
      if (method === 'POST' && !CLOSED.has(collection)) return add(actor, collection, json);
    } else {
      if (method === 'GET') return read(actor, collection, id);
      if (method === 'PUT') return put(actor, collection, id, json);
      if (method === 'DELETE' && !CLOSED.has(collection)) return remove(actor, collection, id, query);
    }
    return refuse(405, 'method_not_allowed', `${method} is not possible here.`);
  }

  async function list(actor: TeamActor, collection: Collection, query: URLSearchParams): Promise<TeamAnswer> {
    const id = query.get('id');
    if (id !== null) {
      const item = isItemId(id) ? await team.read(actor, collection, id) : null;
      const one = item !== null && !item.deleted ? [itemText(item)] : [];
      return listText(one, { next: null, position: '', complete: true });
    }
    const listed = await team.list(actor, {
      collection,
      updatedAfter: query.get('updated_after'),
      cursor: Number(query.get('cursor') ?? 0),
      limit: PAGE,
    });
    return listText(listed.items.map(itemText), listed);
  }

  async function made(actor: TeamActor, query: URLSearchParams): Promise<TeamAnswer> {
    const { data, next } = await team.madeAddresses.list(actor, query.get('cursor'), 100);
    const labelled = await Promise.all(data.map((address) => withLabel(actor, address)));
    return listText(
      labelled.map((address) => JSON.stringify(address)),
      { next, position: '', complete: true },
    );
  }

  async function withLabel(actor: TeamActor, address: MadeAddress): Promise<DepositAddress> {
    const item = await team.read(actor, 'deposit-addresses', address.id);
    const label = item && COLLECTIONS['deposit-addresses'].check(parseExact(item.value));
    if (!item || !label || 'why' in label)
      return { ...address, label: '', revision: 0, labelled_by: null, labelled_at: null };
    const { revision, who: labelled_by, updatedAt: labelled_at } = item;
    return { ...address, label: label.value.label, revision, labelled_by, labelled_at };
  }

  async function read(actor: TeamActor, collection: Collection, id: string): Promise<TeamAnswer> {
    const item = await team.read(actor, collection, id);
    if (item === null || item.deleted) return refuse(404, 'not_found', 'There is no such item.');
    return { status: 200, text: itemText(item) };
  }

  async function put(actor: TeamActor, collection: Collection, id: string, json: unknown): Promise<TeamAnswer> {
    const parsed = v.safeParse(putSchema, json);
    if (!parsed.success) return refuse(400, 'invalid_request_error', 'A change names value and revision.');
    const { value, revision } = parsed.output;
    if (Buffer.byteLength(stringifyExact(value)) > ITEM_BYTES_MAX)
      return refuse(413, 'too_large', `An item may have ${ITEM_BYTES_MAX} bytes.`);
    if (collection === 'deposit-addresses' && !(await team.madeAddresses.has(actor, id)))
      return refuse(404, 'not_found', 'No such address was made here.');
    return written(await team.put(actor, { collection, id, value, revision, who: actor.who }));
  }

  async function add(actor: TeamActor, collection: Collection, json: unknown): Promise<TeamAnswer> {
    const parsed = v.safeParse(addSchema, json);
    if (!parsed.success) return refuse(400, 'invalid_request_error', 'This takes a list of values.');
    const added = await team.add(actor, { collection, values: parsed.output.values, who: actor.who });
    if (added.kind === 'added')
      return listText(added.items.map(itemText), { next: null, position: '', complete: false });
    return added.kind === 'full' ? full() : refuse(422, 'invalid_request_error', added.why);
  }

  async function remove(actor: TeamActor, collection: Collection, id: string, query: URLSearchParams) {
    const revision = numberIn(query.get('revision'));
    if (revision === 0) return refuse(400, 'invalid_request_error', 'Removing names the revision.');
    return written(await team.remove(actor, { collection, id, revision, who: actor.who }));
  }

  function written(result: Written): TeamAnswer {
    if (result.kind === 'written') return { status: 200, text: itemText(result.item) };
    if (result.kind === 'full') return full();
    if (result.kind === 'refused') return refuse(422, 'invalid_request_error', result.why);
    return refuse(409, 'moved_on', 'A colleague changed this meanwhile. Nothing was saved.', result.item);
  }

  function full(): TeamAnswer {
    return refuse(422, 'full', `There is room for ${ITEMS_MAX.toLocaleString('en')} of them. Nothing was saved.`);
  }

  function refuse(status: number, code: TeamErrorCode, message: string, item?: StoredItem | null): TeamAnswer {
    const type = code === 'invalid_request_error' ? code : 'team_error';
    const error = JSON.stringify({ type, code, message, request_id: requestId() });
    return { status, text: `{"error":${error}${item ? `,"item":${itemText(item)}` : ''}}` };
  }
}

/** The value's text goes out as it is kept, so that no digit of it can change. */
function itemText({ id, revision, who, createdAt, updatedAt, deleted, value }: StoredItem): string {
  const facts = { id, revision, who, created_at: createdAt, updated_at: updatedAt, deleted };
  return `${JSON.stringify(facts).slice(0, -1)},"value":${value}}`;
}

function listText(data: readonly string[], { next, position, complete }: Omit<Listed, 'items'>): TeamAnswer {
  const envelope = JSON.stringify({ has_more: next !== null, next_cursor: next, position, complete });
  return { status: 200, text: `{"object":"list","data":[${data.join(',')}],${envelope.slice(1)}` };
}

function isCollection(name: string): name is Collection {
  return Object.hasOwn(COLLECTIONS, name);
}

function numberIn(text: string | null): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
}
