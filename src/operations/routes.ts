import * as v from 'valibot';
import {
  JOURNAL_HEADER,
  OPEN_STATES,
  OPERATIONS_PATH,
  type OperationList,
  endSchema,
  reviewSchema,
  sendSchema,
  startSchema,
} from '#src/api/gatewayContract.ts';
import { parseJson } from '#src/lib/answers.ts';
import { type OperationRecord, operationSchema } from '#src/lib/operations/record.ts';
import { READ_ONLY } from './allowed.ts';
import type { Found } from './journal.ts';
import type { Operations } from './operations.ts';
import { createQuota } from './quota.ts';
import { type Plain, createReplies } from './replies.ts';
import { JournalAway, type JournalMark, JournalUnsure } from './rows.ts';
import { unreadableView } from './views.ts';
import type { Actor } from './world.ts';

/** A request to /api/operations of somebody who is signed in. */
export interface ApiRequest {
  method: string;
  /** As it stands in the URL. */
  pathname: string;
  query: URLSearchParams;
  body: string;
  /** What the page and its cookie bring of the journal. */
  marks: JournalMark[];
}

export interface ApiAnswer {
  status: number;
  headers: [string, string][];
  body: object;
  /** The journal as it is after this answer; null: it cannot be read. */
  mark: JournalMark | null;
}

type Routes = (request: ApiRequest, actor: Actor) => Promise<ApiAnswer>;

// The bytes may have left just before, or by an earlier copy of the request.
const NOT_READY = 'The journal cannot be reached now, so what became of this is not known. Ask again.';
/** What a header carries as it is. */
const KEY = /^[\x21-\x7e]{1,255}$/;
const LIMIT = 25;
const LIMIT_MAX = 100;
const RETRY_SECONDS = 5;

/** The server's own interface (api/gatewayContract.ts): requests become answers, whoever carries them. */
export function createRoutes(operations: Operations, requestId: () => string): Routes {
  const { journal, starting, checking, world } = operations;
  const { existing, done, notARecord, senderOf, refuse } = createReplies(operations, requestId);
  const quota = createQuota();

  return async (request, actor) => {
    let plain: Plain;
    try {
      for (const mark of furthest(request.marks)) await operations.compareMark(mark);
      plain = await route(request, actor);
    } catch (error) {
      if (!(error instanceof JournalAway || error instanceof JournalUnsure)) throw error;
      plain = refuse(503, 'not_ready', NOT_READY);
    }
    const facts = await world.rows.facts().catch(() => null);
    const headers: ApiAnswer['headers'] = [];
    if (facts) headers.push([JOURNAL_HEADER, `${facts.id} ${facts.position}`]);
    if (plain.retryAfter !== undefined) headers.push(['Retry-After', String(plain.retryAfter)]);
    const mark = facts && { id: facts.id, position: facts.position };
    return { status: plain.status, body: plain.body, headers, mark };
  };

  async function route(request: ApiRequest, actor: Actor): Promise<Plain> {
    const [key, act, ...more] = segmentsOf(request.pathname);
    const name = `${request.method} ${key === undefined ? '' : key === 'review' ? 'review' : ':key'}${act ? `/${act}` : ''}`;
    if (more.length > 0) return refuse(404, 'not_recorded', 'There is nothing at this path.');
    if (name === 'GET ') return list(request.query, actor);
    if (name === 'POST review') return review(request, actor);
    if (key === undefined || !KEY.test(key)) return refuse(404, 'not_recorded', 'There is no such key.');
    if (name === 'GET :key') return read(actor, key);
    if (!quota(actor.account, actor.clock.mono())) {
      return refuse(429, 'too_many', 'More than 60 changes a minute. This request changed nothing.', {}, RETRY_SECONDS);
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
        return actOn(request, actor, key, act ?? '');
      default:
        return refuse(405, 'invalid_request_error', `${request.method} is not possible here.`);
    }
  }

  async function list(query: URLSearchParams, actor: Actor): Promise<Plain> {
    if (actor.apiKey !== null) operations.lookForOthers({ ...actor, apiKey: actor.apiKey });
    const state = query.get('state');
    const one = v.safeParse(operationSchema.entries.state, state);
    const states = state === 'open' ? OPEN_STATES : one.success ? [one.output] : null;
    const kind = v.safeParse(operationSchema.entries.kind, query.get('kind'));
    const limit = Math.min(Math.max(Math.trunc(Number(query.get('limit') ?? LIMIT)) || LIMIT, 1), LIMIT_MAX);
    const cursor = /^\d{1,15}$/.exec(query.get('cursor') ?? '')?.[0] ?? null;
    const { rows, next } = await world.rows.list({
      service: world.service.name,
      account: actor.account,
      states,
      kind: kind.success ? kind.output : null,
      about: query.get('about'),
      cursor,
      limit,
    });
    const records = [];
    for (const { record } of rows) if (record) records.push(await operations.settle(actor, record));
    const data = await operations.views(actor, records);
    const { setBackAt } = await world.rows.facts();
    const body: OperationList = {
      object: 'list',
      data,
      unreadable: rows.flatMap(({ unreadable }) => (unreadable ? [unreadableView(unreadable)] : [])),
      set_back: setBackAt !== null,
      has_more: next !== null,
      next_cursor: next,
    };
    return { status: 200, body };
  }

  async function read(actor: Actor, key: string): Promise<Plain> {
    const found = await journal.find(actor, key);
    if (found.kind !== 'record') return notARecord(found);
    return { status: 200, body: await operations.view(actor, await operations.settle(actor, found.record)) };
  }

  async function review({ body }: ApiRequest, actor: Actor): Promise<Plain> {
    const sender = senderOf(actor);
    const parsed = v.safeParse(reviewSchema, parseJson(body));
    if (!parsed.success) return refuse(400, 'invalid_request_error', 'A review names kind, path and body.');
    if ('status' in sender) return sender;
    const reviewed = await starting.review(sender, parsed.output);
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
      // Whatever was meant, this key sends nothing: another copy of it may be on its way.
      const found = await journal.bury(actor, key, 'invalid');
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

  async function discard(actor: Actor, key: string): Promise<Plain> {
    const found = await journal.find(actor, key);
    if (actor.readOnly && found.kind !== 'tombstone') return refuse(403, 'read_only', READ_ONLY);
    if (found.kind === 'record') {
      const step = await journal.advance(actor, key, { type: 'discard', who: actor.who });
      return done(actor, key, step);
    }
    const buried = found.kind === 'nothing' ? await journal.bury(actor, key, 'discarded') : found;
    if (buried.kind === 'record') return existing(actor, buried);
    if (buried.kind !== 'tombstone') return notARecord(buried);
    return { status: 200, body: { not_sent: buried.notSent } };
  }

  async function actOn({ body }: ApiRequest, actor: Actor, key: string, act: string): Promise<Plain> {
    const found = await journal.find(actor, key);
    if (found.kind === 'unreadable' && act === 'close') return closeUnreadable(actor, found, body);
    if (found.kind !== 'record') return notARecord(found);
    const record = await operations.settle(actor, found.record);
    if (act === 'check') return check(actor, record);
    if (actor.readOnly) return refuse(403, 'read_only', READ_ONLY);
    if (act === 'close') {
      const parsed = v.safeParse(endSchema, parseJson(body));
      if (!parsed.success) return refuse(400, 'invalid_request_error', 'Closing takes a revision and a reason.');
      const { revision, reason: words } = parsed.output;
      return done(
        actor,
        key,
        await journal.advance(actor, key, { type: 'close', who: actor.who, words }, { revision }),
      );
    }
    const sender = senderOf(actor);
    if ('status' in sender) return sender;
    if (record.account !== actor.account) return refuse(403, 'not_done', 'It was recorded under another API key.');
    if (act === 'not-sent') {
      const parsed = v.safeParse(endSchema, parseJson(body));
      if (!parsed.success) return refuse(400, 'invalid_request_error', 'This takes a revision and a reason.');
      const { revision, reason } = parsed.output;
      return done(actor, key, await operations.confirmNotSent(sender, record, reason, { revision }));
    }
    const parsed = v.safeParse(sendSchema, parseJson(body));
    if (!parsed.success) return refuse(400, 'invalid_request_error', 'Sending takes a revision and a time limit.');
    const { revision, not_after: notAfter } = parsed.output;
    return done(actor, key, await starting.send(sender, record, { revision, notAfter }));
  }

  async function check(actor: Actor, record: OperationRecord): Promise<Plain> {
    const sender = senderOf(actor, true);
    if ('status' in sender) return sender;
    const note = await checking.check(sender, record);
    if (note !== null) return read(actor, record.key);
    return refuse(409, 'not_done', 'There is nothing to check.', { view: await operations.view(actor, record) });
  }

  async function closeUnreadable(
    actor: Actor,
    { row }: Extract<Found, { kind: 'unreadable' }>,
    body: string,
  ): Promise<Plain> {
    const parsed = v.safeParse(endSchema, parseJson(body));
    const words = parsed.success ? parsed.output.reason : '';
    if (actor.readOnly) return refuse(403, 'read_only', READ_ONLY);
    if (words.trim() === '') return refuse(400, 'invalid_request_error', 'Closing takes a reason.');
    const { key } = row.unreadable ?? { key: '' };
    const at = actor.clock.wall();
    await world.rows.write((turn) => turn.closeUnreadable(key, { words, who: actor.who, at }));
    return read(actor, key);
  }
}

/** One of each journal: the page and its cookie bring the same as a rule. */
function furthest(marks: readonly JournalMark[]): JournalMark[] {
  const byId = new Map<string, JournalMark>();
  for (const mark of marks) {
    const before = byId.get(mark.id);
    if (before === undefined || before.position < mark.position) byId.set(mark.id, mark);
  }
  return [...byId.values()];
}

function segmentsOf(pathname: string): string[] {
  return pathname
    .slice(OPERATIONS_PATH.length + 1)
    .split('/')
    .filter((_, index, all) => index > 0 || all.length > 1 || all[0] !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return '';
      }
    });
}
