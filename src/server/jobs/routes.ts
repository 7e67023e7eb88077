import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import { closeRequestSchema, monthRequestSchema, RATE_BYTES_MAX } from '#src/shared/contract/monthJobContract.ts';
import {
  EXPORT_FORMATS,
  exportSchema,
  type JobErrorCode,
  JOBS_MAX,
  JOBS_PATH,
} from '#src/shared/contract/jobsContract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { type ApiOptions, limitWrites, refuseFailure } from '#src/server/operations/apiApp.ts';
import type { ExportJobRow, JobActor, JobRow } from './jobRows.ts';
import type { Jobs } from './jobs.ts';
import { itemText, type StoredItem } from '#src/server/team/items.ts';
import { detailOf, fileOf, monthViewOf, exportJobView } from './views.ts';

export interface JobsEnv {
  /** `apiKey`: the session's key at the provider. */
  Bindings: { actor: JobActor; apiKey: string };
}

type JobsContext = Context<JobsEnv>;

const MOVED = 'A colleague closed a period, or the month was read again. Nothing was saved.';
const requestSchema = v.variant('kind', [exportSchema, monthRequestSchema]);
const TYPES: Record<(typeof EXPORT_FORMATS)[number], string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

/** /api/jobs (shared/contract/jobsContract.ts). */
export function createJobsApp(jobs: Jobs, { newRequestId, reportFailure, mono }: ApiOptions) {
  const app = new Hono<JobsEnv>().basePath(JOBS_PATH);

  app.use(
    '*',
    limitWrites<JobsEnv>(mono, (c, tooMany) => refuse(c, 429, 'too_many', `${tooMany} Nothing was started.`)),
  );

  app.get('/', async (c) => sendJson(c, { data: (await jobs.list(c.env.actor)).map(exportJobView) }));
  app.post('/', async (c) => {
    const parsed = v.safeParse(requestSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuseBody(c, parsed.issues);
    const job = await jobs.start(c.env.actor, c.env.apiKey, parsed.output);
    const full = `You have ${JOBS_MAX} exports, or the server keeps too many bytes of them. Delete one first.`;
    return job === null ? refuse(c, 422, 'full', full) : sendJob(c, job, 201);
  });
  app.get('/:id', async (c) => {
    const job = await jobs.find(c.env.actor, c.req.param('id'));
    return job === null ? nothingHere(c) : sendJob(c, job);
  });
  app.delete('/:id', async (c) => {
    const { kind } = await jobs.cancel(c.env.actor, c.req.param('id'));
    return kind === 'changed' ? c.body(null, 204) : nothingHere(c);
  });
  app.post('/:id/continue', async (c) => {
    const changed = await jobs.continue(c.env.actor, c.env.apiKey, c.req.param('id'));
    if (changed.kind === 'changed') return sendJob(c, changed.job);
    if (changed.kind === 'moved') return refuse(c, 409, 'moved_on', 'Only a stopped job can be continued.');
    return changed.kind === 'gone' ? refuseGone(c) : nothingHere(c);
  });
  app.get('/:id/file', async (c) => {
    const open = c.req.method === 'HEAD' ? jobs.find : jobs.openFile;
    const job = await open(c.env.actor, c.req.param('id'));
    if (job?.kind !== 'export') return nothingHere(c);
    if (job.droppedAt !== null) return refuseGone(c);
    const file = fileOf(job);
    if (file === null) return refuse(c, 404, 'no_file', 'There is no file yet.');
    // HEAD must not read the file.
    return new Response(c.req.method === 'HEAD' ? null : streamOf(jobs, c.env.actor, job), {
      headers: {
        'Content-Type': TYPES[job.request.format],
        'Content-Length': String(file.bytes),
        'Content-Disposition': `attachment; filename="${file.name}"`,
        // A compressed response would have no Content-Length.
        'Cache-Control': 'no-store, no-transform',
      },
    });
  });
  app.post('/:id/close', async (c) => {
    const parsed = v.safeParse(closeRequestSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuseBody(c, parsed.issues);
    const { sha256, rates: base64 } = parsed.output;
    const rates = base64 === null ? null : Buffer.from(base64, 'base64');
    if (rates !== null && rates.length > RATE_BYTES_MAX)
      return refuse(c, 422, 'invalid_request_error', 'The rate file is larger than 4 MB.');
    const result = await jobs.close(c.env.actor, c.req.param('id'), { sha256, rates });
    if (result.kind === 'closed') return sendText(c, itemText(result.item));
    if (result.kind === 'moved') return refuse(c, 409, 'moved_on', MOVED, result.item);
    if (result.kind === 'refused') return refuse(c, 422, 'invalid_request_error', result.why);
    return result.kind === 'gone' ? refuse(c, 409, 'moved_on', MOVED) : nothingHere(c);
  });
  app.all('*', (c) => refuse(c, 405, 'method_not_allowed', `${c.req.method} is not possible here.`));

  app.onError((error, c) => refuseFailure({ error, reportFailure }, (...refusal) => refuse(c, ...refusal)));
  return app;

  function nothingHere(c: JobsContext): Response {
    return refuse(c, 404, 'not_found', 'There is no such job.');
  }

  function refuseGone(c: JobsContext): Response {
    return refuse(c, 410, 'gone', 'This file was deleted. Export again.');
  }

  /** Also records that a finished reading was seen, so that the next page starts a new one. */
  async function sendJob(c: JobsContext, job: JobRow, status: ContentfulStatusCode = 200): Promise<Response> {
    if (job.kind === 'export') return sendJson(c, detailOf(job), status);
    if (job.state === 'done' && job.downloadedAt === null) await jobs.noteSeen(job.id);
    return sendJson(c, monthViewOf(job, await jobs.preparedAt(c.env.actor, job)), status);
  }

  function refuseBody(c: JobsContext, [issue]: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): Response {
    const at = v.getDotPath(issue);
    return refuse(c, 422, 'invalid_request_error', at === null ? issue.message : `${at}: ${issue.message}`);
  }

  function refuse(
    c: JobsContext,
    status: ContentfulStatusCode,
    code: JobErrorCode,
    message: string,
    item: StoredItem | null = null,
  ): Response {
    const type = code === 'invalid_request_error' ? code : 'job_error';
    const error = JSON.stringify({ type, code, message, request_id: newRequestId() });
    return sendText(c, `{"error":${error}${item ? `,"item":${itemText(item)}` : ''}}`, status);
  }
}

/** Reads a part only after the previous one was sent, so that a slow download keeps one part in memory. */
function streamOf(jobs: Jobs, actor: JobActor, job: ExportJobRow): ReadableStream<Uint8Array> {
  const parts = jobs.readFile(actor, job);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value.bytes);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

function sendJson(c: JobsContext, value: unknown, status: ContentfulStatusCode = 200): Response {
  return sendText(c, stringifyExact(value), status);
}

function sendText(c: JobsContext, text: string, status: ContentfulStatusCode = 200): Response {
  return c.body(text, status, { 'Content-Type': 'application/json' });
}
