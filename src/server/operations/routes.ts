import * as v from 'valibot';
import { JOURNAL_HEADER, OPERATIONS_PATH } from '#src/shared/serverPaths.ts';
import { OPEN_STATES, type OperationList, reviewSchema, startSchema } from '#src/shared/contract/gatewayContract.ts';
import { parseJson } from '#src/shared/answers.ts';
import { createWriteQuota, WRITES_A_MINUTE } from './writeQuota.ts';
import { segmentsBelow } from '#src/shared/paths.ts';
import { operationSchema } from '#src/shared/operations/record.ts';
import { createActs, type Plain, createReplies } from './acts.ts';
import type { Operations } from './operations.ts';
import { JournalAway, JournalUnsure, POSITION_MAX, type Actor } from './ports.ts';
import { unreadableView } from './views.ts';

/** A request to /api/operations of somebody who is signed in. */
export interface ApiRequest {
  method: string;
  /** As in the URL, not decoded. */
  pathname: string;
  query: URLSearchParams;
  body: string;
  /** The journal's marks that the page and its cookie bring, as they came. */
  marks: string[];
}

export interface ApiAnswer {
  status: number;
  headers: [string, string][];
  body: object;
  /** Why the journal could not be asked, for the log. */
  failure: Error | null;
  /** The journal's latest mark, for the page and its cookie; null where the journal could not be read. */
  mark: string | null;
}

// The bytes may have left just before, or by an earlier copy of the request.
const NOT_READY = 'The journal cannot be reached now, so what became of this is not known. Ask again.';
/** Characters that a header can carry unescaped. */
const KEY = /^[\x21-\x7e]{1,255}$/;
const LIMIT = 25;
const LIMIT_MAX = 100;
const RETRY_SECONDS = 5;

const stateFilter = v.nullable(v.union([operationSchema.entries.state, v.literal('open')]));
const kindFilter = v.nullable(operationSchema.entries.kind);

/** The routes of /api/operations (shared/contract/gatewayContract.ts), independent of the HTTP server. */
export function createRoutes(operations: Operations, requestId: () => string) {
  const { journal, starting, ports } = operations;
  const replies = createReplies(operations, requestId);
  const { read, existing, senderOf, refuse } = replies;
  const { discard, actOn } = createActs(operations, replies);
  const quota = createWriteQuota();

  return async (request: ApiRequest, actor: Actor): Promise<ApiAnswer> => {
    let plain: Plain;
    let failure: Error | null = null;
    let isCompared = false;
    try {
      await operations.history.compare(request.marks);
      isCompared = true;
      plain = await route(request, actor);
    } catch (error) {
      if (!(error instanceof JournalAway || error instanceof JournalUnsure)) throw error;
      plain = refuse(503, 'not_ready', NOT_READY);
      failure = error;
    }
    const headers: ApiAnswer['headers'] = [];
    // A mark that was not compared with what the page brought must not take the place of it.
    const mark = isCompared ? operations.history.latest() : null;
    if (mark !== null) headers.push([JOURNAL_HEADER, mark]);
    if (plain.retryAfter !== undefined) headers.push(['Retry-After', String(plain.retryAfter)]);
    return { status: plain.status, body: plain.body, headers, failure, mark };
  };

  async function route(request: ApiRequest, actor: Actor): Promise<Plain> {
    const [key, act, ...more] = segmentsBelow(OPERATIONS_PATH, request.pathname);
    const name = `${request.method} ${key === undefined ? '' : key === 'review' ? 'review' : ':key'}${act ? `/${act}` : ''}`;
    if (more.length > 0) return refuse(404, 'not_recorded', 'There is nothing at this path.');
    if (name === 'GET ') return list(request.query, actor);
    if (name === 'POST review') return review(request, actor);
    if (key === undefined || !KEY.test(key)) return refuse(404, 'not_recorded', 'There is no such key.');
    if (name === 'GET :key') return read(actor, key);
    if (!quota(actor.account, actor.clock.mono())) {
      const message = `More than ${WRITES_A_MINUTE} changes a minute. This request changed nothing.`;
      return refuse(429, 'too_many', message, {}, RETRY_SECONDS);
    }
    switch (name) {
      case 'PUT :key':
        return put(request, actor, key);
      case 'DELETE :key':
        return discard(actor, key);
      case 'POST :key/send':
      case 'POST :key/check':
      case 'POST :key/close':
      case 'POST :key/not-sent':
        return actOn(request.body, actor, key, act ?? '');
      default:
        return refuse(405, 'invalid_request_error', `${request.method} is not possible here.`);
    }
  }

  async function list(query: URLSearchParams, actor: Actor): Promise<Plain> {
    if (actor.apiKey !== null) operations.lookForOthers({ ...actor, apiKey: actor.apiKey });
    const state = v.safeParse(stateFilter, query.get('state'));
    if (!state.success) return refuse(422, 'invalid_request_error', 'The parameter “state” has an unknown value.');
    const kind = v.safeParse(kindFilter, query.get('kind'));
    if (!kind.success) return refuse(422, 'invalid_request_error', 'The parameter “kind” has an unknown value.');
    const states = state.output === 'open' ? OPEN_STATES : state.output === null ? null : [state.output];
    const limit = Math.min(Math.max(Math.trunc(Number(query.get('limit') ?? LIMIT)) || LIMIT, 1), LIMIT_MAX);
    const cursor = query.get('cursor');
    if (cursor !== null && !isPosition(cursor))
      return refuse(422, 'invalid_request_error', 'This is no cursor of this list.');
    const { rows, next } = await ports.rows.list({
      service: ports.service.name,
      account: actor.account,
      states,
      kind: kind.output,
      about: query.get('about'),
      cursor,
      limit,
    });
    const records = [];
    for (const { record } of rows) if (record) records.push(await operations.settle(actor, record));
    const data = await operations.views(actor, records);
    const { setBackAt } = await ports.rows.facts();
    const body: OperationList = {
      object: 'list',
      data,
      unreadable: rows.flatMap(({ unreadable }) => (unreadable ? [unreadableView(unreadable)] : [])),
      set_back: setBackAt !== null,
      set_back_at: setBackAt,
      has_more: next !== null,
      next_cursor: next,
    };
    return { status: 200, body };
  }

  async function review({ body }: ApiRequest, actor: Actor): Promise<Plain> {
    const sender = senderOf(actor);
    const parsed = v.safeParse(reviewSchema, parseJson(body));
    if (!parsed.success) return refuse(400, 'invalid_request_error', 'A review names kind, path and body.');
    if ('status' in sender) return sender;
    const reviewed = await starting.review(sender, parsed.output);
    if ('noDate' in reviewed) return refuse(503, 'not_ready', reviewed.noDate, {}, RETRY_SECONDS);
    if ('fault' in reviewed) return refuse(422, 'invalid_request_error', reviewed.fault);
    return { status: 200, body: reviewed };
  }

  async function put({ body }: ApiRequest, actor: Actor, key: string): Promise<Plain> {
    const parsed = v.safeParse(startSchema, parseJson(body));
    const sent = parsed.success ? parsed.output : undefined;
    const sender = senderOf(actor);
    if ('status' in sender) {
      const found = await journal.find(actor, key);
      return found.kind === 'nothing' ? sender : existing(actor, found, sent);
    }
    if (sent === undefined) {
      // Spend the key: another copy of the request may still be on its way.
      const found = await journal.writeTombstone(actor, key, 'invalid');
      if (found.kind !== 'tombstone') return existing(actor, found);
      return refuse(422, 'invalid_request_error', 'This is no operation.', { not_sent: found.notSent });
    }
    const started = await starting.start(sender, key, sent);
    switch (started.kind) {
      case 'inserted':
        return { status: 201, body: await operations.view(actor, started.record) };
      case 'no-date':
        return refuse(503, 'not_ready', `${started.reason} This request sent nothing. Ask again.`, {}, RETRY_SECONDS);
      case 'too-many':
        return refuse(429, 'too_many', 'Too many operations wait for an end. Nothing was recorded.', {}, RETRY_SECONDS);
      case 'buried': {
        const { notSent, why, lookAlikes } = started;
        if (lookAlikes) return refuse(409, 'look_alike', why, { not_sent: notSent, look_alikes: lookAlikes });
        const code = notSent.why === 'too-late' ? 'too_late' : 'invalid_request_error';
        return refuse(422, code, why, { not_sent: notSent });
      }
      case 'record':
      case 'unreadable':
      case 'tombstone':
      case 'spent':
      case 'taken':
        return existing(actor, started, sent);
    }
  }
}

/** Whether it can be a journal position. */
function isPosition(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= POSITION_MAX;
}
