import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import {
  BATCHES_PATH,
  batchExcludeSchema,
  type BatchList,
  batchReviewSchema,
  batchSchema,
  batchStartSchema,
} from '#src/shared/contract/batchContract.ts';
import { parseJson } from '#src/shared/answers.ts';
import { type Ability, refusalOf } from '#src/shared/permissions.ts';
import {
  type ApiOptions,
  carryMark,
  limitWrites,
  OUTCOME_UNKNOWN,
  refuseFailure,
} from '#src/server/operations/apiApp.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import { asSender, type Batch, isPosition, type Sender } from '#src/server/operations/ports.ts';
import type { OperationsEnv } from '#src/server/operations/replies.ts';
import { RETRY_SECONDS } from '#src/server/operations/writeQuota.ts';
import type { BatchDone } from './batches.ts';

type BatchesContext = Context<OperationsEnv>;

/** Made by the page when it mounts. */
const BATCH_ID = /^[A-Za-z0-9_-]{8,64}$/;
const LIMIT = 25;
/** /api/batches (shared/contract/batchContract.ts). */
export function createBatchesApp(operations: Operations, { newRequestId, reportFailure, mono }: ApiOptions) {
  const { batches } = operations;
  const app = new Hono<OperationsEnv>({ strict: false }).basePath(BATCHES_PATH);
  const quota = limitWrites<OperationsEnv>(mono, (c, tooMany) =>
    refuse(c, 429, 'too_many', `${tooMany} This request changed nothing.`),
  );

  app.use(carryMark(operations.history));
  app.get('/', list);
  app.post('/review', quota, review);
  app.use('/:id/:command?', async (c, next) => (BATCH_ID.test(c.req.param('id')) ? next() : nothing(c)));
  app.get('/:id', (c) => withBatch(c, (batch) => answer(c, batch)));
  app.get('/:id/file', (c) => withBatch(c, (batch) => file(c, batch)));
  app.get('/:id/review', (c) =>
    withBatch(c, async (batch) => c.json(await batches.reviewRecorded(asSender(c.env.actor), batch))),
  );
  app.put('/:id', quota, put);
  app.post('/:id/start', quota, start);
  // No quota on stop, withdraw and exclude: stopping payments must never be rate-limited.
  app.post('/:id/stop', async (c) => done(c, await batches.stop(c.env.actor, c.req.param('id'))));
  app.post('/:id/withdraw', async (c) => done(c, await batches.withdraw(c.env.actor, c.req.param('id'))));
  app.post('/:id/exclude', exclude);
  app.notFound((c) => refuse(c, 404, 'not_recorded', 'There is nothing at this path.'));
  app.onError((error, c) =>
    refuseFailure({ error, reportFailure, away: OUTCOME_UNKNOWN }, (status, code, message) =>
      refuse(c, status, code, message),
    ),
  );
  return app;

  async function list(c: BatchesContext): Promise<Response> {
    const state = c.req.query('state');
    if (state !== undefined && state !== 'paused')
      return refuse(c, 422, 'invalid_request_error', 'The parameter “state” has an unknown value.');
    if (state === 'paused') {
      const paused = await batches.paused(c.env.actor);
      return c.json({ object: 'list', data: paused, has_more: false, next_cursor: null } satisfies BatchList);
    }
    const cursor = c.req.query('cursor') ?? null;
    if (cursor !== null && !isPosition(cursor))
      return refuse(c, 422, 'invalid_request_error', 'This is no cursor of this list.');
    const { data, next } = await batches.list(c.env.actor, { cursor, limit: LIMIT });
    const body: BatchList = { object: 'list', data, has_more: next !== null, next_cursor: next };
    return c.json(body);
  }

  async function review(c: BatchesContext): Promise<Response> {
    const sender = senderOf(c, 'prepare');
    if (sender instanceof Response) return sender;
    const parsed = v.safeParse(batchReviewSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuse(c, 400, 'invalid_request_error', 'A review names the payments of a file.');
    const reviewed = await batches.review(sender, parsed.output);
    if ('noDate' in reviewed) return refuseForNow(c, reviewed.noDate);
    if ('faults' in reviewed) return refuse(c, 422, 'batch_faults', 'Some lines can’t be sent.', reviewed);
    return c.json(reviewed);
  }

  async function put(c: BatchesContext): Promise<Response> {
    const sender = senderOf(c, 'prepare');
    if (sender instanceof Response) return sender;
    const id = c.req.param('id') ?? '';
    const parsed = v.safeParse(batchSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuse(c, 400, 'invalid_request_error', 'This is no batch.');
    const recorded = await batches.record(sender, id, parsed.output);
    switch (recorded.kind) {
      case 'recorded':
        return answer(c, recorded.batch, recorded.isNew ? 201 : 200);
      case 'taken':
        return refuse(c, 409, 'key_reused', 'This id has another batch.');
      case 'faults':
        return refuse(c, 422, 'batch_faults', 'Some lines can’t be sent.', { faults: recorded.faults });
      case 'again':
        return refuse(c, 409, 'batch_again', 'There is a batch with the same payments.', { same: recorded.same });
      case 'look-alikes':
        return refuse(c, 409, 'look_alike', 'Some payments look like others.', { lines: recorded.lines });
      case 'refused': {
        const { code, why } = recorded;
        if (code === 'passkey_refused') return refuse(c, 403, code, `${why} Nothing was recorded.`);
        if (code === 'not_ready') return refuseForNow(c, `${why} Nothing was recorded. Ask again.`);
        return refuse(c, code === 'too_late' ? 422 : 429, code, why);
      }
    }
  }

  async function start(c: BatchesContext): Promise<Response> {
    const sender = senderOf(c, 'send');
    if (sender instanceof Response) return sender;
    const parsed = v.safeParse(batchStartSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuse(c, 400, 'invalid_request_error', 'Sending takes a revision and a time limit.');
    return done(c, await batches.start(sender, c.req.param('id') ?? '', parsed.output));
  }

  async function exclude(c: BatchesContext): Promise<Response> {
    const parsed = v.safeParse(batchExcludeSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuse(c, 400, 'invalid_request_error', 'This takes a line.');
    return done(c, await batches.exclude(c.env.actor, c.req.param('id') ?? '', parsed.output.line));
  }

  async function done(c: BatchesContext, result: BatchDone | null): Promise<Response> {
    if (result === null) return nothing(c);
    if (result.why === null) return answer(c, result.batch);
    const view = await batches.view(c.env.actor, result.batch);
    return refuse(c, 409, result.moved ? 'moved_on' : 'not_done', result.why, { view });
  }

  async function withBatch(c: BatchesContext, respond: (batch: Batch) => Response | Promise<Response>) {
    const batch = await batches.find(c.env.actor, c.req.param('id') ?? '');
    return batch === null ? nothing(c) : respond(batch);
  }

  async function answer(c: BatchesContext, batch: Batch, status: 200 | 201 = 200): Promise<Response> {
    return c.json(await batches.view(c.env.actor, batch), status);
  }

  async function file(c: BatchesContext, { id }: Batch): Promise<Response> {
    const text = await batches.file(id);
    if (text === null) return nothing(c);
    c.header('Content-Disposition', 'attachment; filename="payments.csv"');
    c.header('Content-Type', 'text/csv; charset=utf-8');
    return c.body(text);
  }

  function nothing(c: BatchesContext): Response {
    return refuse(c, 404, 'not_recorded', 'There is no such batch. It may still arrive.');
  }

  function senderOf(c: BatchesContext, ability: Ability): Sender | Response {
    const { actor } = c.env;
    const refusal = refusalOf(ability, actor.rights);
    if (refusal) return refuse(c, 403, refusal.code, refusal.message);
    return asSender(actor);
  }

  function refuse(
    c: BatchesContext,
    status: ContentfulStatusCode,
    code: string,
    message: string,
    extras: object = {},
  ): Response {
    const type = status === 422 || status === 400 ? 'invalid_request_error' : 'operation_error';
    return c.json({ error: { type, code, message, request_id: newRequestId() }, ...extras }, status);
  }

  function refuseForNow(c: BatchesContext, message: string): Response {
    c.header('Retry-After', String(RETRY_SECONDS));
    return refuse(c, 503, 'not_ready', message);
  }
}
