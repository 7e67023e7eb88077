import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
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
import { COLLECTION_WRITES, refusalOf } from '#src/shared/permissions.ts';
import { type ApiOptions, limitWrites, refuseFailure } from '#src/server/operations/apiApp.ts';
import { parseJson } from '#src/shared/answers.ts';
import { decoded } from '#src/shared/paths.ts';
import { parseExact, stringifyExact } from '#src/shared/json/exactJson.ts';
import { JSON_DEPTH_MAX, isDeeper } from '#src/shared/json/jsonObject.ts';
import { itemText, type ListedItems, type StoredItem, type TeamActor } from './items.ts';
import type { MadeAddress, Team, WriteResult } from './team.ts';

export interface TeamEnv {
  Bindings: { actor: TeamActor };
  Variables: {
    collection: Collection;
    /** Empty if the path names no item. */
    id: string;
    /** The parsed body of a write. */
    json: unknown;
  };
}

type TeamContext = Context<TeamEnv>;

const PAGE = 500;
/** A position that fits the database's bigint. */
const CURSOR = /^\d{1,18}$/;

/** /api/team (shared/contract/teamContract.ts). */
export function createTeamApp(team: Team, { newRequestId, reportFailure, mono }: ApiOptions) {
  const quota = limitWrites<TeamEnv>(mono, (c, tooMany) => refuse(c, 429, 'too_many', `${tooMany} Nothing was saved.`));
  const app = new Hono<TeamEnv>().basePath(TEAM_PATH);

  app.use('/:collection/:id?', async (c, next) => {
    const { collection, id } = c.req.param();
    // Hono leaves an undecodable escape unchanged.
    const isDecodable = decoded(new URL(c.req.url).pathname, '') !== '';
    if (!isCollection(collection) || !isDecodable) return nothingHere(c);
    if (id !== undefined && !isItemId(id)) return refuse(c, 404, 'not_found', 'There is no such item.');
    c.set('collection', collection);
    c.set('id', id ?? '');
    return next();
  });
  app.use('/:collection/:id?', async (c, next) => {
    const refusal = isRead(c) ? null : refusalOf(COLLECTION_WRITES[c.var.collection], c.env.actor.rights);
    if (refusal) return refuse(c, 403, refusal.code, `${refusal.message} Nothing was saved.`);
    return next();
  });
  app.use('/:collection/:id?', quota);
  app.use('/:collection/:id?', async (c, next) => {
    const cursor = c.req.query('cursor');
    if (cursor !== undefined && !CURSOR.test(cursor))
      return refuse(c, 422, 'invalid_request_error', 'cursor: must be the next_cursor of the page before.');
    if (isRead(c)) return next();
    const json = parseJson(await c.req.text());
    if (isDeeper(json)) {
      const message = `This is nested deeper than ${JSON_DEPTH_MAX} levels. Nothing was saved.`;
      return refuse(c, 422, 'invalid_request_error', message);
    }
    c.set('json', json);
    return next();
  });

  app.get('/closed-periods/:closing/file', file);
  // Only closing a month writes these.
  app.post('/closed-periods', methodNotAllowed);
  app.put('/closed-periods/:id', methodNotAllowed);
  app.delete('/closed-periods/:id', methodNotAllowed);
  app.get('/deposit-addresses', listMade);
  app.get('/:collection', list);
  app.post('/:collection', add);
  app.get('/:collection/:id', read);
  app.put('/:collection/:id', put);
  app.delete('/:collection/:id', remove);
  app.all('/:collection/:id?', methodNotAllowed);

  app.notFound(nothingHere);
  const away = 'The database cannot be reached now. Whether this was saved is not known.';
  app.onError((error, c) => refuseFailure({ error, reportFailure, away }, (...refusal) => refuse(c, ...refusal)));
  return app;

  function isRead({ req }: TeamContext): boolean {
    return req.method === 'GET' || req.method === 'HEAD';
  }

  async function list(c: TeamContext): Promise<Response> {
    const { actor } = c.env;
    const { collection } = c.var;
    const id = c.req.query('id');
    if (id !== undefined) {
      const item = isItemId(id) ? await team.read(actor, collection, id) : null;
      const one = item !== null && !item.deleted ? [itemText(item)] : [];
      return sendList(c, one, { next: null, position: '', complete: true });
    }
    const listed = await team.list(actor, {
      collection,
      updatedAfter: c.req.query('updated_after') ?? null,
      cursor: Number(c.req.query('cursor') ?? 0),
      limit: PAGE,
    });
    return sendList(c, listed.items.map(itemText), listed);
  }

  async function listMade(c: TeamContext): Promise<Response> {
    const { actor } = c.env;
    const { data, next } = await team.madeAddresses.list(actor, c.req.query('cursor') ?? null, 100);
    const labelled = await Promise.all(data.map((address) => withLabel(actor, address)));
    return sendList(
      c,
      labelled.map((address) => JSON.stringify(address)),
      { next, position: '', complete: true },
    );
  }

  async function withLabel(actor: TeamActor, address: MadeAddress): Promise<DepositAddress> {
    const item = await team.read(actor, 'deposit-addresses', address.id);
    const label = item && COLLECTIONS['deposit-addresses'].check(parseExact(item.value));
    if (!item || !label || 'why' in label)
      return { ...address, label: '', revision: 0, labelled_by: null, labelled_by_person: null, labelled_at: null };
    const { revision, who: labelled_by, person: labelled_by_person, updatedAt: labelled_at } = item;
    return { ...address, label: label.value.label, revision, labelled_by, labelled_by_person, labelled_at };
  }

  async function read(c: TeamContext): Promise<Response> {
    const item = await team.read(c.env.actor, c.var.collection, c.var.id);
    if (item === null || item.deleted) return refuse(c, 404, 'not_found', 'There is no such item.');
    return sendJson(c, itemText(item));
  }

  /** Downloads the ZIP of a closed period. */
  async function file(c: TeamContext): Promise<Response> {
    const period = await team.statements.find(c.env.actor, c.req.param('closing') ?? '');
    if (period === null) return refuse(c, 404, 'not_found', 'There is no such closed period.');
    const headers = {
      'Content-Type': 'application/zip',
      'Content-Length': String(period.zip.bytes),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(period.zip.name)}`,
      'Cache-Control': 'no-store, no-transform',
    };
    if (c.req.method === 'HEAD') return new Response(null, { headers });
    return new Response(streamOfPieces(team.statements.readPieces(c.env.actor, period)), { headers });
  }

  async function put(c: TeamContext): Promise<Response> {
    const { actor } = c.env;
    const { collection, id } = c.var;
    const parsed = v.safeParse(putSchema, c.var.json);
    if (!parsed.success) return refuse(c, 400, 'invalid_request_error', 'A change names value and revision.');
    const { value, revision } = parsed.output;
    if (Buffer.byteLength(stringifyExact(value)) > ITEM_BYTES_MAX)
      return refuse(c, 413, 'too_large', `An item may have ${ITEM_BYTES_MAX} bytes.`);
    if (collection === 'deposit-addresses' && (await team.madeAddresses.find(actor, id)) === null)
      return refuse(c, 404, 'not_found', 'No such address was made here.');
    return sendWritten(c, await team.put(actor, { collection, id, value, revision }));
  }

  async function add(c: TeamContext): Promise<Response> {
    const { actor } = c.env;
    const { collection } = c.var;
    const parsed = v.safeParse(addSchema, c.var.json);
    if (!parsed.success) return refuse(c, 400, 'invalid_request_error', 'This takes a list of values.');
    const added = await team.add(actor, { collection, values: parsed.output.values });
    if (added.kind === 'added')
      return sendList(c, added.items.map(itemText), { next: null, position: '', complete: false });
    return added.kind === 'full' ? refuseFull(c) : refuse(c, 422, 'invalid_request_error', added.why);
  }

  async function remove(c: TeamContext): Promise<Response> {
    const { actor } = c.env;
    const { collection, id } = c.var;
    const revision = numberIn(c.req.query('revision'));
    if (revision === 0) return refuse(c, 400, 'invalid_request_error', 'Removing names the revision.');
    return sendWritten(c, await team.remove(actor, { collection, id, revision }));
  }

  function sendWritten(c: TeamContext, result: WriteResult): Response {
    if (result.kind === 'written') return sendJson(c, itemText(result.item));
    if (result.kind === 'full') return refuseFull(c);
    if (result.kind === 'refused') return refuse(c, 422, 'invalid_request_error', result.why);
    return refuse(c, 409, 'moved_on', 'A colleague changed this meanwhile. Nothing was saved.', result.item);
  }

  function refuseFull(c: TeamContext): Response {
    const message = `There is room for ${ITEMS_MAX.toLocaleString('en')} of them. Nothing was saved.`;
    return refuse(c, 422, 'full', message);
  }

  function nothingHere(c: TeamContext): Response {
    return refuse(c, 404, 'not_found', 'There is nothing at this path.');
  }

  function methodNotAllowed(c: TeamContext): Response {
    return refuse(c, 405, 'method_not_allowed', `${c.req.method} is not possible here.`);
  }

  function refuse(
    c: TeamContext,
    status: ContentfulStatusCode,
    code: TeamErrorCode,
    message: string,
    item?: StoredItem | null,
  ): Response {
    const type = code === 'invalid_request_error' ? code : 'team_error';
    const error = JSON.stringify({ type, code, message, request_id: newRequestId() });
    return sendJson(c, `{"error":${error}${item ? `,"item":${itemText(item)}` : ''}}`, status);
  }
}

/** Streams the pieces, and reads each only after the previous one was sent. */
function streamOfPieces(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

function sendList(
  c: TeamContext,
  data: readonly string[],
  { next, position, complete }: Omit<ListedItems, 'items'>,
): Response {
  const envelope = JSON.stringify({ has_more: next !== null, next_cursor: next, position, complete });
  return sendJson(c, `{"object":"list","data":[${data.join(',')}],${envelope.slice(1)}`);
}

function sendJson(c: TeamContext, text: string, status: ContentfulStatusCode = 200): Response {
  return c.body(text, status, { 'Content-Type': 'application/json' });
}

function isCollection(name: string): name is Collection {
  return Object.hasOwn(COLLECTIONS, name);
}

function numberIn(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
}
