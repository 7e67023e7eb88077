import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import * as v from 'valibot';
import { OPERATIONS_PATH } from '#src/shared/serverPaths.ts';
import {
  OPEN_STATES,
  type OperationList,
  type OperationView,
  reviewSchema,
  startSchema,
} from '#src/shared/contract/gatewayContract.ts';
import type { BatchedOperations } from '#src/shared/contract/batchContract.ts';
import { parseJson } from '#src/shared/answers.ts';
import { NotPermitted } from '#src/server/people/actor.ts';
import { policyBrokenIn } from '#src/server/people/policies.ts';
import { decoded } from '#src/shared/paths.ts';
import { operationSchema } from '#src/shared/operations/record.ts';
import { carryMark, limitWrites } from './apiApp.ts';
import { createCommands } from './commands.ts';
import type { Operations } from './operations.ts';
import {
  type OperationActor,
  JournalAway,
  JournalUnsure,
  keyOf,
  type ListedTogether,
  type OperationRow,
  readCursor,
} from './ports.ts';
import { createReplies, type OperationsContext, type OperationsEnv } from './replies.ts';
import { unreadableView } from './views.ts';

export interface OperationsOptions {
  newRequestId: () => string;
  /** Called with the error and the request id if the journal is unreachable. */
  reportFailure: (requestId: string, error: Error) => void;
  /** Monotonic, in milliseconds. */
  mono: () => number;
}

// The bytes may have been sent just before, or by an earlier copy of the request.
const NOT_READY = 'The journal cannot be reached now, so what became of this is not known. Ask again.';
/** Characters that a header can carry unescaped. */
const KEY = /^[\x21-\x7e]{1,255}$/;
const LIMIT = 25;
const LIMIT_MAX = 100;

const stateFilter = v.nullable(v.union([operationSchema.entries.state, v.literal('open')]));
const kindFilter = v.nullable(operationSchema.entries.kind);

/** /api/operations (shared/contract/gatewayContract.ts). */
export function createOperationsApp(operations: Operations, { newRequestId, reportFailure, mono }: OperationsOptions) {
  const { journal, starting, batches, ports } = operations;
  const replies = createReplies(operations, newRequestId);
  const { read, existing, senderOf, refuse, refuseForNow } = replies;
  const commands = createCommands(operations, replies);
  const quota = limitWrites<OperationsEnv>(mono, (c, tooMany) =>
    refuse(c, 429, 'too_many', `${tooMany} This request changed nothing.`),
  );

  // `strict`: one slash at the end of a path changes nothing. `router`: Hono's default tries another one first, in vain.
  const app = new Hono<OperationsEnv>({ strict: false, router: new TrieRouter() }).basePath(OPERATIONS_PATH);

  // First, so that every response carries the latest mark. If this fails, the page keeps its own.
  app.use(carryMark(operations.history));
  app.use(async (c, next) => (isPath(new URL(c.req.url).pathname) ? next() : nothingHere(c)));

  app.get('/', list);
  app.post('/review', quota, review);
  app.all('/review/:command?', quota, methodNotAllowed);

  app.get('/close-set-back', commands.listSetBack);
  app.post('/close-set-back', quota, commands.closeSetBack);
  app.all('/close-set-back/:command?', quota, methodNotAllowed);

  app.use('/:key/:command?', async (c, next) =>
    KEY.test(c.req.param('key')) ? next() : refuse(c, 404, 'not_recorded', 'There is no such key.'),
  );
  app.get('/:key', (c) => read(c, c.req.param('key')));
  app.use('/:key/:command?', quota);
  app.put('/:key', (c) => put(c, c.req.param('key')));
  app.delete('/:key', (c) => commands.discard(c, c.req.param('key')));
  app.post('/:key/send', (c) => commands.send(c, c.req.param('key')));
  app.post('/:key/check', (c) => commands.check(c, c.req.param('key')));
  app.post('/:key/close', (c) => commands.close(c, c.req.param('key')));
  app.post('/:key/not-sent', (c) => commands.confirmNotSent(c, c.req.param('key')));
  app.all('/:key/:command?', methodNotAllowed);

  app.notFound(nothingHere);
  app.onError((error, c) => {
    if (error instanceof NotPermitted) return refuse(c, 403, 'not_permitted', error.message);
    const broken = policyBrokenIn(error);
    if (broken !== null) return refuse(c, 503, 'not_ready', broken.message);
    if (!(error instanceof JournalAway || error instanceof JournalUnsure)) throw error;
    const requestId = newRequestId();
    reportFailure(requestId, error);
    return refuse(c, 503, 'not_ready', NOT_READY, {}, requestId);
  });
  return app;

  function nothingHere(c: OperationsContext): Response {
    return refuse(c, 404, 'not_recorded', 'There is nothing at this path.');
  }

  function methodNotAllowed(c: OperationsContext): Response {
    return refuse(c, 405, 'invalid_request_error', `${c.req.method} is not possible here.`);
  }

  async function list(c: OperationsContext): Promise<Response> {
    const { actor } = c.env;
    if (actor.apiKey !== null) operations.lookForOthers({ ...actor, apiKey: actor.apiKey });
    const state = v.safeParse(stateFilter, c.req.query('state') ?? null);
    if (!state.success) return refuse(c, 422, 'invalid_request_error', 'The parameter “state” has an unknown value.');
    const kind = v.safeParse(kindFilter, c.req.query('kind') ?? null);
    if (!kind.success) return refuse(c, 422, 'invalid_request_error', 'The parameter “kind” has an unknown value.');
    const states = state.output === 'open' ? OPEN_STATES : state.output === null ? null : [state.output];
    const limit = Math.min(Math.max(Math.trunc(Number(c.req.query('limit') ?? LIMIT)) || LIMIT, 1), LIMIT_MAX);
    const cursor = c.req.query('cursor') ?? null;
    if (cursor !== null && readCursor(cursor) === null)
      return refuse(c, 422, 'invalid_request_error', 'This is no cursor of this list.');
    const about = c.req.query('about') ?? null;
    const owner = { service: ports.service.name, account: actor.account };
    if (c.req.query('batched') === 'true') {
      if (states !== null || kind.output !== null || about !== null)
        return refuse(c, 422, 'invalid_request_error', 'A list with batches takes no filter.');
      const { entries, next } = await ports.rows.batches.listTogether(owner, { cursor, limit });
      return c.json(await batchedList(actor, entries, next));
    }
    const { rows, next } = await ports.rows.list({ ...owner, states, kind: kind.output, about, cursor, limit });
    const body: OperationList = { ...(await listEnd(rows, next)), data: await viewsOf(actor, rows) };
    return c.json(body);
  }

  async function batchedList(
    actor: OperationActor,
    entries: ListedTogether['entries'],
    next: string | null,
  ): Promise<BatchedOperations> {
    const batchesOnPage = entries.flatMap((entry) => ('batch' in entry ? entry.batch : []));
    const rows = entries.flatMap((entry) => ('batch' in entry ? [] : entry));
    const summaries = new Map((await batches.summaries(actor, batchesOnPage)).map((batch) => [batch.id, { batch }]));
    const views = new Map((await viewsOf(actor, rows)).map((view) => [view.operation.key, view]));
    const data = entries.flatMap((entry) =>
      'batch' in entry ? (summaries.get(entry.batch.id) ?? []) : (views.get(keyOf(entry)) ?? []),
    );
    return { ...(await listEnd(rows, next)), data };
  }

  async function viewsOf(actor: OperationActor, rows: readonly OperationRow[]): Promise<OperationView[]> {
    const records = [];
    for (const { record } of rows) if (record) records.push(await operations.bringUpToDate(actor, record));
    return operations.views(actor, records);
  }

  async function listEnd(rows: readonly OperationRow[], next: string | null): Promise<Omit<OperationList, 'data'>> {
    const { setBackAt } = await ports.rows.facts();
    return {
      object: 'list',
      unreadable: rows.flatMap(({ unreadable }) => (unreadable ? [unreadableView(unreadable)] : [])),
      set_back: setBackAt !== null,
      set_back_at: setBackAt,
      has_more: next !== null,
      next_cursor: next,
    };
  }

  async function review(c: OperationsContext): Promise<Response> {
    const sender = senderOf(c, 'prepare');
    const parsed = v.safeParse(reviewSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuse(c, 400, 'invalid_request_error', 'A review names kind, path and body.');
    if (sender instanceof Response) return sender;
    const reviewed = await starting.review(sender, parsed.output);
    if ('noDate' in reviewed) return refuseForNow(c, 503, 'not_ready', reviewed.noDate);
    if ('fault' in reviewed) return refuse(c, 422, 'invalid_request_error', reviewed.fault);
    return c.json(reviewed);
  }

  async function put(c: OperationsContext, key: string): Promise<Response> {
    const { actor } = c.env;
    const parsed = v.safeParse(startSchema, parseJson(await c.req.text()));
    const sent = parsed.success ? parsed.output : undefined;
    const sender = senderOf(c, 'prepare');
    if (sender instanceof Response) {
      const found = await journal.find(actor, key);
      return found.kind === 'nothing' ? sender : existing(c, found, sent);
    }
    if (sent === undefined) {
      // Spend the key: another copy of the request may still be on its way.
      const found = await journal.writeTombstone(actor, key, 'invalid');
      if (found.kind !== 'tombstone') return existing(c, found);
      return refuse(c, 422, 'invalid_request_error', 'This is no operation.', { not_sent: found.notSent });
    }
    const started = await starting.start(sender, key, sent);
    switch (started.kind) {
      case 'inserted':
        return c.json(await operations.view(actor, started.record), 201);
      case 'no-date':
        return refuseForNow(c, 503, 'not_ready', `${started.reason} This request sent nothing. Ask again.`);
      case 'too-many':
        return refuseForNow(c, 429, 'too_many', 'Too many operations wait for an end. Nothing was recorded.');
      case 'rejected': {
        const { notSent, why, lookAlikes } = started;
        if (lookAlikes) return refuse(c, 409, 'look_alike', why, { not_sent: notSent, look_alikes: lookAlikes });
        const code = notSent.why === 'too-late' ? 'too_late' : 'invalid_request_error';
        return refuse(c, 422, code, why, { not_sent: notSent });
      }
      case 'record':
      case 'unreadable':
      case 'tombstone':
      case 'spent':
      case 'taken':
        return existing(c, started, sent);
    }
  }
}

/** At most two segments, counted as the URL spells them, and every escape can be decoded. */
function isPath(pathname: string): boolean {
  const segments = pathname.slice(OPERATIONS_PATH.length + 1).split('/');
  return segments.length <= 2 && segments.every((segment) => decoded(segment, '') !== '' || segment === '');
}
